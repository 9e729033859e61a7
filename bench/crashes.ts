/**
 * Starts a gateway on the embedded tier again and again, several at once so that their threads wait for each other, and counts those
 * that a signal killed. Every set of these flags of V8 has its turn, so each flag is on in one half of the starts and off in the other.
 *
 *     node bench/crashes.ts [--starts 1000] [--at-once 6] [--flags '--no-maglev --no-sparkplug']
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { v8Flags } from '../gateway/base/v8-flags.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '6' },
    flags: { type: 'string', default: v8Flags.join(' ') },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'passerelle-crashes-'));
// Not `server.ts`, which sets flags of its own.
const server = join(scratch, 'server.mjs');
const listen = pathToFileURL(join(import.meta.dirname, '../gateway/listen.ts'));
writeFileSync(server, `import { endFailed, main } from '${listen}';\nawait main().catch(endFailed);\n`);
const all = values.flags.split(' ').filter(Boolean);
const starts = readNumber('starts');
const ends: { flags: string[]; end: string }[] = [];
let begun = 0;

function readNumber(name: 'starts' | 'at-once'): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} takes a number of at least 1, and was ${JSON.stringify(values[name])}.`);
}

/** Returns how a gateway ended that was told to end once it answered. */
async function endOfOne(flags: string[]): Promise<string> {
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
  while (begun < starts) {
    const turn = begun++;
    const flags = all.filter((_flag, at) => (turn >> at) % 2 === 1);
    ends.push({ flags, end: await endOfOne(flags) });
    if (ends.length % 100 === 0) process.stderr.write(`${ends.length} of ${starts} starts\n`);
  }
}

const countEnds = (some: typeof ends) =>
  Object.fromEntries([...Map.groupBy(some, ({ end }) => end)].map(([end, { length }]) => [end, length]));

await Promise.all(Array.from({ length: readNumber('at-once') }, startOneAfterTheOther));
rmSync(scratch, { recursive: true });
const byFlag = all.map((flag) => ({
  flag,
  with: countEnds(ends.filter(({ flags }) => flags.includes(flag))),
  without: countEnds(ends.filter(({ flags }) => !flags.includes(flag))),
}));
const failed = ends.filter(({ end }) => end !== 'exit 0');
process.stdout.write(`${JSON.stringify({ node: process.version, ends: countEnds(ends), byFlag, failed })}\n`);
