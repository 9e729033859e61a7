/** `npm run hard`: see `help`. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { refuse, wholeNumber } from './options.ts';

const help = `npm run hard -- FILE... runs these test files 20 times, each time in another random order, beside stress-ng on more processors than
the machine has, and prints which tests failed how often.

  --changed      the test files of the change: uncommitted ones, and those of commits since --base
  --base REV     where the change began (default: HEAD)
  --times N      how often (default: 20)
  --seed N       the order of the first run; the others follow (default: 1)

Tests of the scale tier need their services: bash .ci/scale -- npm run hard -- test/scale/killed.test.ts`;

const root = join(import.meta.dirname, '..');
const say = (text: string) => process.stdout.write(`${text}\n`);
const { values, files } = readCommand();
const times = wholeNumber('times', values.times, 20);
const firstSeed = wholeNumber('seed', values.seed, 1);

if (spawnSync('stress-ng', ['--version']).error !== undefined) refuse('There is no stress-ng: apt-get install stress-ng.');
const stress = spawn('stress-ng', ['--cpu', '4', '--quiet'], { stdio: 'ignore' });
// It does not keep this process alive, and ends with it.
stress.unref();
process.once('exit', () => stress.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), 'passerelle-hard-'));
const failures = new Map<string, number[]>();
for (let run = 0; run < times; run++) {
  const seed = firstSeed + run;
  const { failed, ran } = await runOnce(seed);
  for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), seed]);
  say(`run ${run + 1} of ${times}, order ${seed}: ${ran} tests, ${failed.length} failed`);
}
rmSync(folder, { recursive: true });
for (const [name, seeds] of failures) {
  say(
    `\n${name}\n  failed ${seeds.length} of ${times} times. Repeat it: npm run hard -- --times 1 --seed ${seeds[0]} ${files.join(' ')}`,
  );
}
say(`\n${times - new Set([...failures.values()].flat()).size} of ${times} runs passed.`);
process.exitCode = failures.size > 0 ? 1 : 0;

function readCommand() {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { changed: flag, base: option, times: option, seed: option, help: flag };
  const { values, positionals } = parseOrRefuse();
  if (values.help) {
    say(help);
    process.exit();
  }
  if (values.base !== undefined && !values.changed) refuse('--base goes with --changed.');
  const files = [...positionals, ...(values.changed ? readChangedFiles(values.base ?? 'HEAD') : [])];
  const unknown = files.find((file) => !existsSync(join(root, file)));
  if (unknown !== undefined) refuse(`There is no file ${unknown}.`);
  if (files.length === 0) refuse(values.changed ? 'The change has no test files.' : `Name test files.\n\n${help}`);
  return { values, files };

  function parseOrRefuse() {
    try {
      return parseArgs({ options, allowPositionals: true });
    } catch (error) {
      return refuse(`${(error as Error).message}\n\n${help}`);
    }
  }
}

/** The test files that were changed or added since a commit, and those that git does not track yet. */
function readChangedFiles(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const changed = git('diff', '--name-only', '--diff-filter=d', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  return [...changed, ...added].filter((file) => file.endsWith('.test.ts'));
}

/** Runs the files once in the order of a seed. A file that cannot be run counts as one failed test. */
async function runOnce(seed: number): Promise<{ failed: string[]; ran: number }> {
  const report = join(folder, `${seed}.json`);
  const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`];
  const output = ['--reporter=json', `--outputFile=${report}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...order, ...output, ...files], { cwd: root });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (!existsSync(report)) return { failed: [`vitest ended with ${code}:\n${printed}`], ran: 0 };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => `${file}: ${fullName}`);
    return tests.length === 0 && status === 'failed' ? [`${file} (could not be run)`] : tests;
  });
  const ran = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status !== 'pending').length;
  return { failed, ran };
}

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}
