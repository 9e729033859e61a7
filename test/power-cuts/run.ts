/** `npm run power-cuts`: see `help`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restartWithV8Flags } from '../../gateway/base/v8-flags.ts';
import type { Settings } from '../../gateway/start/config.ts';
import { compilePostgres } from '../../gateway/store/pglite/wasm.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { cutOnce } from './cut.ts';
import { Disk, type DoesSync } from './disk.ts';
import { readRecording } from './recording.ts';
import { recordSession } from './session.ts';

const option = { type: 'string' } as const;
const help = `npm run power-cuts -- --cuts 1000 [--seed 1] records a gateway that sells, cuts the power at that many points, and opens the
store on what the disk may have then. --recording FILE cuts an earlier recording again. Seeds decide the cuts. --careless also leaves out
each kind of sync, one after the other, and expects a cut that loses something.`;
const values = readOptions(help, { cuts: option, seed: option, recording: option, careless: { type: 'boolean' } });
const [cuts, firstSeed] = [wholeNumber('cuts', values.cuts, 100), wholeNumber('seed', values.seed, 1)];
const say = (text: string) => process.stdout.write(`${text}\n`);
/** Cuts at once: one opens a database while another writes its files. */
const lanes = 2;

restartWithV8Flags();
const folder = mkdtempSync(join(tmpdir(), 'passerelle-power-cuts-'));
const began = performance.now();
const recording = values.recording ?? (await recorded('disk'));
const entries = readRecording(recording);
const disk = new Disk(entries);
say(`${disk.acknowledgedBefore(disk.length).length} acknowledged sales in ${disk.length} entries of a recording.`);

// PostgreSQL's compiled code is kept until the end, so that all databases share it. Node 24 aborts now and then where such code is
// made and freed again and again (nodejs/node#64500).
const compiled = compilePostgres();
process.once('exit', () => compiled);

let [next, failed] = [0, 0];
async function cutInTurn(): Promise<void> {
  for (let index = next++; index < cuts; index = next++) {
    const seed = firstSeed + index;
    const { cut, acknowledged, wrong } = await cutOnce(disk, seed);
    if (index > 0 && index % 100 === 0) say(`${index} cuts`);
    if (wrong === undefined) continue;
    failed += 1;
    say(`seed ${seed}: cut at entry ${cut}, after ${acknowledged} acknowledged sales: ${wrong}`);
    say(`  Repeat it: npm run power-cuts -- --recording ${recording} --cuts 1 --seed ${seed}`);
  }
}
await Promise.all(Array.from({ length: lanes }, cutInTurn));
say(`${cuts} power cuts, ${((performance.now() - began) / 1000).toFixed(0)} s: ${failed} lost something.`);

/** Disks that leave out some of the syncs that the gateway asks for. */
const careless: Record<string, DoesSync> = {
  'the log': (path) => !path.includes('/pg_wal/'),
  names: (_path, isFolder) => !isFolder,
  tables: (path) => !path.includes('/base/'),
  'where the log begins': (path) => !path.endsWith('/pg_control'),
};
if (values.careless) {
  for (const [what, doesSync] of Object.entries(careless)) await expectLoss(`no sync of ${what}`, new Disk(entries, doesSync));
  await expectLoss('DURABILITY=process', new Disk(readRecording(await recorded('process'))));
}
// The recording of a failure is kept, to repeat it.
if (failed === 0) rmSync(folder, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;

async function expectLoss(what: string, other: Disk): Promise<void> {
  for (let seed = 1; seed <= 30; seed += 1) {
    const { wrong } = await cutOnce(other, seed);
    if (wrong === undefined) continue;
    say(`${what}: ${wrong}`);
    return;
  }
  failed += 1;
  say(`${what}: 30 cuts lost nothing, so a cut shows nothing.`);
}

async function recorded(durability: Settings['DURABILITY']): Promise<string> {
  const own = join(folder, durability);
  mkdirSync(own);
  const endings: (() => void | Promise<void>)[] = [];
  try {
    return await recordSession({ folder: own, durability, sales: 60, atEnd: (work) => void endings.unshift(work) });
  } finally {
    for (const end of endings) await end();
  }
}
