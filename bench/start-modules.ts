/**
 * Prints what evaluating each module of the package costs the start of a stub, in ms: medians of several starts, the largest
 * first. What a module loads late, and what happens after all modules are evaluated, is not in it.
 *
 *     npm run build && node bench/start-modules.ts [--api pos] [--starts 5] [--modules 20]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'pos' },
    starts: { type: 'string', default: '5' },
    modules: { type: 'string', default: '20' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'passerelle-start-modules-'));
cpSync(join(import.meta.dirname, '../dist'), folder, { recursive: true });
for (const file of globSync('{cli,chunks}/*.js', { cwd: folder })) mark(join(folder, file));
writeFileSync(
  join(folder, 'report.mjs'),
  `globalThis.evaluated = [];
process.once('SIGINT', () => {
  process.stderr.write(JSON.stringify(globalThis.evaluated));
  process.exit();
});`,
);

/** Notes the time before each module of a file, at the comment with which the bundler names it, and at the file's end. */
function mark(file: string): void {
  const note = (name: string) => `globalThis.evaluated?.push([${JSON.stringify(name)}, performance.now()]);`;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const [, name] = /^\/\/ ((?:dist|node_modules)\/\S+)$/.exec(line) ?? [];
      return name === undefined ? line : `${line}\n${note(name)}`;
    });
  writeFileSync(file, [...lines, note('')].join('\n'));
}

/** The times of one start. The compiled code of the marked files is cached in their own folder. */
async function start(): Promise<Map<string, number>> {
  const args = ['--import', join(folder, 'report.mjs'), join(folder, 'cli/bin.js'), 'stub', values.api, '--port', '0', '--quiet'];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk;
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  child.kill('SIGINT');
  await once(child, 'close');
  if (!written.startsWith('[')) throw new Error(`The stub did not start: ${written}`);
  const marks = JSON.parse(written) as [name: string, atMs: number][];
  const spent = new Map<string, number>();
  for (const [index, [name, atMs]] of marks.entries()) {
    const endMs = marks[index + 1]?.[1] ?? atMs;
    if (name !== '') spent.set(name, (spent.get(name) ?? 0) + endMs - atMs);
  }
  return spent;
}

// The first start compiles the code.
await start();
const starts: Map<string, number>[] = [];
for (let round = 0; round < Number(values.starts); round++) starts.push(await start());
rmSync(folder, { recursive: true });

const names = [...new Set(starts.flatMap((one) => [...one.keys()]))];
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const medians = names.map((name) => [name, median(starts.map((one) => one.get(name) ?? 0))] as const);
const total = medians.reduce((sum, [, ms]) => sum + ms, 0);
process.stdout.write(`${names.length} modules, ${total.toFixed(0)} ms\n`);
for (const [name, ms] of medians.toSorted((a, b) => b[1] - a[1]).slice(0, Number(values.modules)))
  process.stdout.write(`${ms.toFixed(1).padStart(6)}  ${name}\n`);
