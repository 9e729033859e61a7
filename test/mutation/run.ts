/** `npm run mutants`: see `help`. */
import { execFileSync, execSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readOptions, refuse, wholeNumber } from '../options.ts';

const option = { type: 'string' } as const;
const help = `npm run mutants -- --share 5 [--seed 1] [--only gateway/queue] changes one expression of the delivery core at a time, in a
copy of the tree, and says which changes no test notices. --share is the percentage of all such changes that the seed draws.
Under \`bash .ci/scale --\`, Redis's queue and gate are among the files.`;
const values = readOptions(help, { share: option, seed: option, only: option });
const draw = { share: wholeNumber('share', values.share, 5), seed: wholeNumber('seed', values.seed, 1) };

/** The parts that are mutated, and the tests that must notice. */
const parts = [
  { sources: 'gateway/queue/**/*.ts', tests: 'test/queue/*.test.ts' },
  { sources: 'gateway/store/sql/lease.ts', tests: 'test/store/leases.test.ts' },
  { sources: 'gateway/webhooks/**/*.ts', tests: 'test/webhooks/*.test.ts' },
];

/** Only `.ci/scale` has the Redis that tests these. */
const onRedis = ['gateway/queue/redis.ts', 'gateway/queue/gate/redis.ts', 'gateway/queue/gate/scripts.ts'];
const isMutated = (file: string) =>
  file.startsWith(values.only ?? '') && (process.env.PASSERELLE_TEST_REDIS_URL !== undefined || !onRedis.includes(file));
const chosen = parts
  .map(({ sources, tests }) => ({ files: globSync(sources).filter(isMutated), tests }))
  .filter(({ files }) => files.length > 0);
if (chosen.length === 0) refuse(`--only ${values.only} names none of the files.`);

/**
 * Installed for a run and not in package.json: it would add 177 packages to what everyone installs, for a measurement that takes hours.
 */
const tools = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];

const folder = mkdtempSync(join(tmpdir(), 'passerelle-mutants-'));
const tree = join(folder, 'tree');
const inTree = { cwd: tree, stdio: 'inherit' } as const;
try {
  for (const file of execSync('git ls-files --cached --others --exclude-standard', { encoding: 'utf8' }).trim().split('\n')) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(file, join(tree, file));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  // Beside the tree, so that the tools do not get into its node_modules. They must use its Vitest.
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--legacy-peer-deps', ...tools], inTree);
  symlinkSync(join(process.cwd(), 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  const config = {
    draw,
    mutate: chosen.flatMap(({ files }) => files),
    testFiles: chosen.map(({ tests }) => tests),
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'forks' },
    plugins: [join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'), './test/mutation/sample.ts'],
    checkers: ['sample'],
    coverageAnalysis: 'perTest',
    // What runs while a file is loaded, such as a table, needs all tests for each mutant.
    ignoreStatic: true,
    inPlace: true,
    disableTypeChecks: false,
    concurrency: 1,
    dryRunTimeoutMinutes: 60,
    // Such a timeout counts as noticed, so a busy machine must not cause it.
    timeoutMS: 180_000,
    timeoutFactor: 4,
    reporters: ['sample'],
    warnings: false,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  execFileSync(
    process.execPath,
    [join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', join(folder, 'config.json')],
    inTree,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
