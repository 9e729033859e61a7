/**
 * Starts a gateway on the embedded tier again and again, several at once so that their threads wait for each other, and counts those
 * that a signal killed. `--flags` are V8's, with which each process starts.
 *
 *     node bench/crashes.ts [--starts 500] [--at-once 6] [--flags '--no-maglev --no-sparkplug']
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '6' },
    flags: { type: 'string', default: '' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'passerelle-crashes-'));
// Not `server.ts`, which sets flags of its own.
const server = join(scratch, 'server.mjs');
const listen = pathToFileURL(join(import.meta.dirname, '../gateway/listen.ts'));
writeFileSync(server, `import { endFailed, main } from '${listen}';\nawait main().catch(endFailed);\n`);
const flags = values.flags.split(' ').filter(Boolean);
const ends = new Map<string, number>();
let left = readNumber('starts');

function readNumber(name: 'starts' | 'at-once'): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} takes a number of at least 1, and was ${JSON.stringify(values[name])}.`);
}

/** Returns how a gateway ended that was told to end once it answered. */
async function endOfOne(): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'data-'));
  const child = spawn(process.execPath, [...flags, server, '--json'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), end]);
  child.kill('SIGTERM');
  const [code, signal] = await end;
  rmSync(folder, { recursive: true, force: true });
  return signal ?? `exit ${code}`;
}

async function startOneAfterTheOther(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const end = await endOfOne();
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
}

await Promise.all(Array.from({ length: readNumber('at-once') }, startOneAfterTheOther));
rmSync(scratch, { recursive: true });
process.stdout.write(`${JSON.stringify({ node: process.version, flags, ends: Object.fromEntries(ends) })}\n`);
