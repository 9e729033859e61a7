/** `npm run power-cuts`: see `help`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restartWithV8Flags } from '../../gateway/base/v8-flags.ts';
import { compilePostgres } from '../../gateway/store/pglite/wasm.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { cutOnce } from './cut.ts';
import { Disk } from './disk.ts';
import { readRecording } from './recording.ts';
import { recordSession } from './session.ts';

const option = { type: 'string' } as const;
const help = `npm run power-cuts -- --cuts 1000 [--seed 1] records a gateway that sells, cuts the power at that many points, and opens the
store on what the disk may have then. --recording FILE cuts an earlier recording again. Seeds decide the cuts.`;
const values = readOptions(help, { cuts: option, seed: option, recording: option });
const [cuts, firstSeed] = [wholeNumber('cuts', values.cuts, 100), wholeNumber('seed', values.seed, 1)];
const say = (text: string) => process.stdout.write(`${text}\n`);
/** Cuts at once: one opens a database while another writes its files. */
const lanes = 2;

restartWithV8Flags();
const folder = mkdtempSync(join(tmpdir(), 'passerelle-power-cuts-'));
const began = performance.now();
const recording = values.recording ?? (await recorded());
const disk = new Disk(readRecording(recording));
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
// The recording of a failure is kept, to repeat it.
if (failed === 0) rmSync(folder, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;

async function recorded(): Promise<string> {
  const endings: (() => void | Promise<void>)[] = [];
  try {
    return await recordSession({ folder, durability: 'disk', sales: 60, atEnd: (work) => void endings.unshift(work) });
  } finally {
    for (const end of endings) await end();
  }
}
