/**
 * Measures `passerelle verify` with long pacts beside Pact's verifier alone, which asks a server that answers each interaction
 * with the pact's own reply. Time, and CPU with all child processes; medians of interleaved rounds.
 *
 *     node bench/verify.ts [--interactions 300] [--rounds 3] [--provider pos]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import { cpuSecondsOfEnded } from './cpu-seconds.ts';
import { median } from './median.ts';
import { longPact, numbered } from './verify/pact.ts';

const { values } = parseArgs({
  options: {
    interactions: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    provider: { type: 'string', multiple: true, default: [...serviceNames] },
  },
});
const interactions = Number(values.interactions);
const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-verify-'));
const root = join(import.meta.dirname, '..');
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Measured {
  seconds: number;
  cpuSeconds: number;
}

/** Runs a program to its end. Throws an Error if it did not verify every interaction. */
async function measure(args: readonly string[], done: string): Promise<Measured> {
  const [beganMs, beganCpu] = [performance.now(), cpuSecondsOfEnded()];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (!printed.includes(done)) throw new Error(`${args.join(' ')} did not print "${done}", but: ${printed.slice(-500)}`);
  return { seconds: (performance.now() - beganMs) / 1000, cpuSeconds: cpuSecondsOfEnded() - beganCpu };
}

function variantsFor(provider: ServiceName) {
  const pact = longPact(provider, interactions);
  const [file, bare] = [join(folder, `${provider}.json`), join(folder, `${provider}-bare.json`)];
  writeFileSync(file, JSON.stringify(pact));
  writeFileSync(bare, JSON.stringify(numbered(pact)));
  const verify = ['cli/passerelle.ts', 'verify', provider, '--pact', file];
  return {
    "Pact's verifier alone": () => measure(['bench/verify/bare.ts', bare], `${interactions} of ${interactions} verified`),
    'passerelle verify': () => measure(verify, `: ${interactions} verified, 0 failed`),
  };
}

print(
  `${interactions} interactions, ${values.rounds} rounds, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`,
);
print('| | s | CPU s | CPU of an interaction, ms | CPU, ratio to the verifier alone |');
print('|---|---:|---:|---:|---:|');
for (const provider of values.provider as ServiceName[]) {
  const variants = Object.entries(variantsFor(provider));
  const measured = new Map<string, Measured[]>(variants.map(([name]) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, run] of variants) measured.get(name)?.push(await run());
  const [bare = []] = measured.values();
  for (const [name, rounds] of measured) {
    const of = (figure: keyof Measured) => median(rounds.map((one) => one[figure]));
    const ratio = median(rounds.map(({ cpuSeconds }, round) => cpuSeconds / (bare[round]?.cpuSeconds ?? Number.NaN)));
    const each = (of('cpuSeconds') / interactions) * 1000;
    print(
      `| ${provider}: ${name} | ${of('seconds').toFixed(1)} | ${of('cpuSeconds').toFixed(1)} | ${each.toFixed(1)} | ${ratio.toFixed(2)} |`,
    );
  }
}
rmSync(folder, { recursive: true, force: true });
