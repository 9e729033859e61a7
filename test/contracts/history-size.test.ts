import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';

const events = 200_000;

/** A history of a million lines: each event goes to two endpoints with limits. */
function* millionLines(): Generator<string> {
  const line = (fields: object) => `${JSON.stringify(fields)}\n`;
  for (const endpoint of ['a', 'b']) yield line({ kind: 'endpoint', endpoint, max_in_flight: 20, within_ms: 1000 });
  for (let number = 0; number < events; number++) {
    const event = `evt_0199a5c2-7d1e-7000-8000-${String(number).padStart(12, '0')}`;
    const [at, digest] = [1_790_000_000_000 + number * 10, `digest of ${number}`];
    yield line({ kind: 'acknowledged', event, at, digest });
    for (const endpoint of ['a', 'b']) {
      yield line({ kind: 'received', event, endpoint, at: at + 20, ended: at + 40, status: 200, digest });
      yield line({ kind: 'ledger', event, endpoint, state: 'delivered', at: at + 50 });
    }
  }
}

test('a million lines fit into a heap of 400 MB', async () => {
  const program = join(import.meta.dirname, '../../cli/passerelle.ts');
  const child = spawn(process.execPath, ['--max-old-space-size=400', program, 'check-history', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [printed] = await Promise.all([text(child.stdout), pipeline(Readable.from(millionLines()), child.stdin)]);
  expect(printed).toContain('200000 acknowledged events, 400000 owed to endpoints: 400000 taken');
  expect(await ended).toEqual([0, null]);
});
