/** Publishes a version, for a person with the rights for it: `npm run release -- 0.2.0`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage = `npm run release -- VERSION [--dry-run]

Checks that everything is ready, runs the checks of CI that need no other machine, builds the package, publishes it on npm, and tags the commit.
Before: \`npm version VERSION --no-git-tag-version\`, the heading "## VERSION (YYYY-MM-DD)" in CHANGELOG.md, a commit on
main whose CI is green, \`npm login\`.
--dry-run publishes and tags nothing.`;

/** What must hold before a version is published, as it was found. */
export interface Facts {
  version: string;
  manifest: { name: string; version: string; repository?: unknown };
  changelog: string;
  branch: string;
  /** Of `git status --porcelain`. */
  uncommitted: string;
  head: string;
  /** The commit of main at the remote `origin`. */
  remoteMain: string | undefined;
  /** Tags here and at `origin`. */
  tags: readonly string[];
  /** Who is logged in to npm. */
  user: string | undefined;
  /** What npm has under the name; undefined if it has nothing. */
  published: { versions: readonly string[]; maintainers: readonly string[] } | undefined;
  /** True if npm can sign where the package comes from: in a workflow that may ask for such a token. */
  provenance: boolean;
}

/** Returns what stands against the release, each with what to do. */
export function problemsOf(facts: Facts): string[] {
  const { version, manifest, published, user } = facts;
  const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm');
  const isOwner = published === undefined || (user !== undefined && published.maintainers.includes(user));
  const found: readonly (readonly [boolean, string])[] = [
    [
      manifest.version !== version,
      `package.json has version ${manifest.version}: run npm version ${version} --no-git-tag-version.`,
    ],
    [!dated.test(facts.changelog), `CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`],
    [facts.branch !== 'main', `The branch is ${facts.branch || 'none'}: release from main.`],
    [facts.uncommitted !== '', `There are changes that are not committed:\n${facts.uncommitted}`],
    [facts.remoteMain === undefined, 'There is no main at the remote "origin": the tag would name a commit that nobody has.'],
    [
      facts.remoteMain !== undefined && facts.remoteMain !== facts.head,
      'main at "origin" is another commit: pull, or push and wait for CI.',
    ],
    [facts.tags.includes(`v${version}`), `The tag v${version} exists.`],
    [user === undefined, 'Nobody is logged in to npm: run npm login.'],
    [published?.versions.includes(version) === true, `npm has ${manifest.name} ${version} already.`],
    [
      user !== undefined && !isOwner,
      `${manifest.name} on npm belongs to ${published?.maintainers.join(', ')}, and not to ${user}. It may be a stranger's: see decision 135.`,
    ],
    [
      facts.provenance && manifest.repository === undefined,
      'package.json has no repository, which npm compares with the provenance.',
    ],
  ];
  return found.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}

/** The checks of CI that a release repeats. The rest ran on the commit that is at `origin`. */
const checks: readonly (readonly string[])[] = [
  ['npm', 'run', 'lint'],
  ['npm', 'run', 'types'],
  ['npm', 'run', 'openapi', '--', '--check'],
  ['npm', 'test'],
  // Builds the package, uses it in an empty folder, and compares its files with packaging/published.txt.
  ['bash', '.ci/package'],
];

/** The arguments of `npm publish`. Provenance is a setting of the package, which only a workflow can fulfil. */
export const publishArguments = ({ version, provenance }: Pick<Facts, 'version' | 'provenance'>): string[] => [
  ...['publish', './dist'],
  ...(version.includes('-') ? ['--tag', 'next'] : []),
  ...(provenance ? [] : ['--provenance=false']),
];

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Returns what a program prints; undefined if it fails. */
function output(program: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  return status === 0 ? stdout.trim() : undefined;
}

function factsOf(version: string): Facts {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Facts['manifest'];
  const remote = (output('git', 'ls-remote', 'origin') ?? '').split('\n').map((line) => line.split('\t'));
  const { GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, GITLAB_CI, SIGSTORE_ID_TOKEN } = process.env;
  return {
    version,
    manifest,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    branch: output('git', 'branch', '--show-current') ?? '',
    uncommitted: output('git', 'status', '--porcelain') ?? 'git status fails.',
    head: output('git', 'rev-parse', 'HEAD') ?? '',
    remoteMain: remote.find(([, name]) => name === 'refs/heads/main')?.[0],
    tags: [
      ...(output('git', 'tag') ?? '').split('\n'),
      ...remote.map(([, name = '']) => name.replace('refs/tags/', '').replace('^{}', '')),
    ],
    user: output('npm', 'whoami'),
    published: publishedAs(manifest.name),
    provenance: Boolean((GITHUB_ACTIONS && ACTIONS_ID_TOKEN_REQUEST_URL) || (GITLAB_CI && SIGSTORE_ID_TOKEN)),
  };
}

/** Throws if npm cannot say: whose name it is must be known. */
function publishedAs(name: string): Facts['published'] {
  const { stdout } = spawnSync('npm', ['view', name, 'versions', 'maintainers', '--json'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const said = JSON.parse(stdout || '{}') as {
    error?: { code: string; summary: string };
    versions?: string[] | string;
    maintainers?: unknown;
  };
  if (said.error?.code === 'E404') return undefined;
  if (said.error || said.versions === undefined)
    throw new Error(`npm does not say who owns ${name}: ${said.error?.summary ?? 'no answer'}`);
  const maintainers = [said.maintainers ?? []]
    .flat()
    .map((one) => (typeof one === 'string' ? one : (one as { name: string }).name));
  return { versions: [said.versions].flat(), maintainers: maintainers.map((one) => one.replace(/ <.*/, '')) };
}

/** Throws if the program fails. Its output is shown. */
function run([program = '', ...args]: readonly string[]): void {
  say(`\n$ ${[program, ...args].join(' ')}`);
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} failed: nothing was published.`);
}

function release(version: string, isDryRun: boolean): void {
  const facts = factsOf(version);
  const problems = problemsOf(facts);
  if (problems.length > 0) throw new Error(`${version} cannot be released:\n${problems.map((one) => `- ${one}`).join('\n')}`);
  for (const check of checks) run(check);
  const publish = ['npm', ...publishArguments(facts)];
  if (isDryRun) {
    run([...publish, '--dry-run']);
    say(`\n${version} is ready. Without --dry-run it would be published and tagged v${version} now.`);
    return;
  }
  run(publish);
  // From here on the version is public, so a failure only says what is left to do.
  for (const step of [
    ['git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`],
    ['git', 'push', 'origin', `v${version}`],
  ])
    if (spawnSync(step[0] as string, step.slice(1), { stdio: 'inherit' }).status !== 0)
      throw new Error(`${version} is published, but this failed, so run it again: ${step.join(' ')}`);
  say(
    `\n${facts.manifest.name} ${version} is published${facts.provenance ? '' : ', without provenance, which only a workflow can sign'}.`,
  );
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [version = '', ...others] = positionals;
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) || others.length > 0)
      throw new Error(`Name one version, such as 0.2.0.\n\n${usage}`);
    release(version, values['dry-run']);
  } catch (error) {
    process.stderr.write(`release: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
