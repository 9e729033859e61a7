/**
 * Checks what `npm publish ./dist` would publish: that npm corrects nothing in it, and its files by `packaging/published.txt`. With
 * --write, writes that list.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const list = join(root, 'packaging/published.txt');

/** Files whose names follow from their contents, or from what the bundler puts together, by their pattern. */
const made: readonly (readonly [RegExp, string])[] = [
  [/^chunks\/[^/]+\.js$/, 'chunks/*.js'],
  [/^(gateway\/console\/built\/\w+\/assets)\/[^/]+\.(js|css|woff2)(\.br)?$/, '$1/*.$2$3'],
  [/^gateway\/start\/prepared\/[0-9a-f]{16}\.gz$/, 'gateway/start/prepared/*.gz'],
];

const patternOf = (path: string) => made.reduce((name, [form, pattern]) => name.replace(form, pattern), path);

/** The files as the list has them, one on each line. */
export const listed = (paths: readonly string[]): string => [...new Set(paths.map(patternOf))].sort().join('\n');

function dryRun(): { paths: string[]; warnings: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['publish', './dist', '--dry-run', '--json', '--loglevel=warn'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm publish --dry-run ended with ${status}:\n${stderr}`);
  // npm 11 and newer put it under the name of the package.
  const said = JSON.parse(stdout) as { files?: { path: string }[] };
  const { files = [] } = said.files ? said : (Object.values(said)[0] as typeof said);
  return { paths: files.map(({ path }) => path), warnings: stderr };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
  const { paths, warnings } = dryRun();
  const now = listed(paths).split('\n');
  if (values.write) writeFileSync(list, `${now.join('\n')}\n`);
  const before = readFileSync(list, 'utf8').trim().split('\n');
  const [added, gone] = [now.filter((one) => !before.includes(one)), before.filter((one) => !now.includes(one))];
  const problems = [
    ...(/errors corrected/.test(warnings) ? [`npm corrects package.json: write it as npm does.\n${warnings}`] : []),
    ...added.map((one) => `would be published, and is not in packaging/published.txt: ${one}`),
    ...gone.map((one) => `is in packaging/published.txt, and would not be published: ${one}`),
  ];
  if (added.length + gone.length > 0) problems.push('If this is meant: node packaging/publication.ts --write');
  if (problems.length > 0) process.exitCode = 1;
  else problems.push(`npm publish would publish ${paths.length} files.`);
  process.stdout.write(`${problems.join('\n')}\n`);
}
