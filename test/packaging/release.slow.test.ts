import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listed } from '../../packaging/publication.ts';
import { type Facts, problemsOf, publishArguments } from '../../packaging/release.ts';
import { newFolder } from '../program.ts';

const script = join(import.meta.dirname, '../../packaging/release.ts');

const ready: Facts = {
  version: '0.2.0',
  manifest: { name: 'passerelle', version: '0.2.0' },
  changelog: '# Changelog\n\n## 0.2.0 (2026-12-01)\n',
  branch: 'main',
  uncommitted: '',
  head: 'abc',
  remoteMain: 'abc',
  tags: ['v0.1.0'],
  user: 'ada',
  published: { versions: ['0.1.0'], maintainers: ['ada'] },
  provenance: false,
};

test('a version that is ready may be the first of its name', () => {
  expect(problemsOf(ready)).toEqual([]);
  expect(problemsOf({ ...ready, published: undefined })).toEqual([]);
});

test.each<[string, Partial<Facts>]>([
  ['package.json has version 0.1.0', { manifest: { name: 'passerelle', version: '0.1.0' } }],
  ['CHANGELOG.md has no heading', { changelog: '## Unreleased\n\n- 0.2.0 (2026-12-01)\n' }],
  ['The branch is w/ci', { branch: 'w/ci' }],
  ['There are changes that are not committed:\n M README.md', { uncommitted: ' M README.md' }],
  ['There is no main at the remote "origin"', { remoteMain: undefined }],
  ['main at "origin" is another commit', { remoteMain: 'def' }],
  ['The tag v0.2.0 exists.', { tags: ['v0.2.0'] }],
  ['Nobody is logged in to npm', { user: undefined }],
  ['npm has passerelle 0.2.0 already.', { published: { versions: ['0.2.0'], maintainers: ['ada'] } }],
  ['passerelle on npm belongs to mallory, and not to ada.', { published: { versions: ['9.9.9'], maintainers: ['mallory'] } }],
  ['package.json has no repository', { provenance: true }],
])('%s', (problem, wrong) => {
  expect(problemsOf({ ...ready, ...wrong })).toEqual([expect.stringContaining(problem)]);
});

test('provenance is left out where npm cannot sign it; a version before a release is not the latest', () => {
  expect(publishArguments({ version: '0.2.0', provenance: true })).toEqual(['publish', './dist']);
  expect(publishArguments({ version: '0.2.0-rc.1', provenance: false })).toEqual([
    ...['publish', './dist', '--tag', 'next'],
    '--provenance=false',
  ]);
});

test('the list of published files has no names that change with their contents', () => {
  expect(
    listed([
      'index.js',
      'chunks/api2.js',
      'gateway/console/built/console/assets/a-DlA5-6AN.js.br',
      'gateway/start/prepared/0123456789abcdef.gz',
    ]),
  ).toBe('chunks/*.js\ngateway/console/built/console/assets/*.js.br\ngateway/start/prepared/*.gz\nindex.js');
});

describe('the script', () => {
  /** A repository that is ready, with an origin, and programs in place of npm and bash that note their calls. */
  async function openRepository() {
    const folder = await newFolder();
    const [work, origin, bin, log] = ['work', 'origin.git', 'bin', 'log'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: work, encoding: 'utf8' });
    for (const one of [bin, work]) mkdirSync(one, { recursive: true });
    execFileSync('git', ['init', '--quiet', '--bare', origin]);
    writeFileSync(join(work, 'package.json'), JSON.stringify(ready.manifest));
    writeFileSync(join(work, 'CHANGELOG.md'), ready.changelog);
    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    git('remote', 'add', 'origin', origin);
    git('add', '.');
    git('commit', '--quiet', '--message', 'Version 0.2.0');
    git('push', '--quiet', 'origin', 'main');
    const program = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${log}'\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program(
      'npm',
      `case "$1" in whoami) echo ada;; view) echo '{"error":{"code":"E404","summary":""}}'; exit 1;; test) exit \${TESTS:-0};; esac`,
    );
    program('bash', '');
    const run = (args: string[], env: Record<string, string> = {}) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
        cwd: work,
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...env },
      });
      return { status, output: stdout + stderr };
    };
    const calls = () => readFileSync(log, 'utf8').trim().split('\n');
    return { work, origin, git, run, calls };
  }

  const published = (calls: string[]) => calls.filter((call) => call.startsWith('npm publish'));

  test('checks, publishes, and tags here and at origin', async () => {
    const { origin, run, calls } = await openRepository();
    const { status, output } = run(['0.2.0']);
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('passerelle 0.2.0 is published') });
    expect(calls().slice(-3)).toEqual(['npm test', 'bash .ci/package', 'npm publish ./dist --provenance=false']);
    expect(execFileSync('git', ['tag'], { cwd: origin, encoding: 'utf8' })).toBe('v0.2.0\n');
    // Once is enough.
    expect(run(['0.2.0'])).toMatchObject({ status: 1, output: expect.stringContaining('The tag v0.2.0 exists.') });
  });

  test('--dry-run publishes and tags nothing', async () => {
    const { git, run, calls } = await openRepository();
    expect(run(['0.2.0', '--dry-run'])).toMatchObject({ status: 0, output: expect.stringContaining('0.2.0 is ready') });
    expect(published(calls())).toEqual(['npm publish ./dist --provenance=false --dry-run']);
    expect(git('tag')).toBe('');
  });

  test('a check that fails, or what is not ready, publishes nothing', async () => {
    const { work, git, run, calls } = await openRepository();
    expect(run(['0.2.0'], { TESTS: '1' })).toMatchObject({
      status: 1,
      output: expect.stringContaining('npm test failed: nothing was published.'),
    });
    writeFileSync(join(work, 'new'), '');
    const { status, output } = run(['0.3.0']);
    expect(status).toBe(1);
    for (const problem of ['package.json has version 0.2.0', 'no heading "## 0.3.0', '?? new']) expect(output).toContain(problem);
    for (const wrong of [[], ['v0.2.0'], ['0.2.0', '0.3.0'], ['0.2.0', '--force']])
      expect(run(wrong).status, String(wrong)).toBe(1);
    expect(published(calls())).toEqual([]);
    expect(git('tag')).toBe('');
  });
});
