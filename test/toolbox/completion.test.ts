import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { completionCommand } from '../../cli/completion.ts';
import { completionScripts, type Shell } from '../../cli/completion-scripts.ts';
import { describeProgram } from '../../cli/describe-program.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const printed = new Map<Shell, string>();

/** The script as the command prints it, once a run. */
async function scriptOf(shell: Shell): Promise<string> {
  const script = printed.get(shell) ?? (await passerelle(['completion', shell])).stdout;
  printed.set(shell, script);
  return script;
}

/** What bash offers for the last word of a line. */
async function bashOffers(words: string[], cwd = '.'): Promise<string[]> {
  const script = await fileWith(await scriptOf('bash'));
  const given = words.map((word) => `'${word}'`).join(' ');
  const ask = `source '${script}'; complete -p passerelle >/dev/null || exit 9
COMP_WORDS=(passerelle ${given}); COMP_CWORD=${words.length}; _passerelle; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', ask], { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
}

describe.skipIf(!has('bash'))(`bash${has('bash') ? '' : ' (skipped: not on this machine)'}`, () => {
  test('offers every command, then the commands and options below it', async () => {
    expect(await bashOffers([''])).toEqual(expect.arrayContaining(['verify', 'doctor', 'receiver', 'listen', 'gaps', '--help']));
    expect(await bashOffers(['rec'])).toEqual(['receiver']);
    expect(await bashOffers(['receiver', 'c'])).toEqual(['check']);
    expect(await bashOffers(['receiver', 'check', '--rot'])).toEqual(['--rotated-secret']);
    expect(await bashOffers(['gaps', '--m'])).toEqual(['--md']);
    expect(await bashOffers(['nonsense', 'li'])).toEqual(['listen']);
  });

  test('offers the values of options and arguments, and nothing where anything may stand', async () => {
    expect(await bashOffers(['gaps', '--provider', ''])).toEqual(['pos', 'cohesion']);
    expect(await bashOffers(['verify', '--provider', 'w'])).toEqual(['webhook-receiver']);
    expect(await bashOffers(['completion', 'z'])).toEqual(['zsh']);
    expect(await bashOffers(['listen', '--token', ''])).toEqual([]);
  });

  test('offers files where a file is wanted, with spaces in their names too', async () => {
    const file = await fileWith('{}', 'body of it.json');
    expect(await bashOffers(['doctor', 'signature', '--body', 'bo'], dirname(file))).toEqual(['body of it.json']);
  });
});

test.for(['zsh', 'fish'] as const)('%s takes the script', async (shell, { skip }) => {
  if (!has(shell)) skip(`There is no ${shell} on this machine.`);
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'script'), await scriptOf(shell));
  expect(spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('text of the program never ends a quotation in a script', () => {
  const program = new Command('tool').description("it's").option('--a <file>', "isn't: [x] $(boom) `boom`");
  program.addCommand(new Command('sub').summary("can't \n $(boom)"));
  for (const script of Object.values(completionScripts)) {
    const text = script(describeProgram(program)).replaceAll("'\\''", '');
    for (const line of text.split('\n').filter((one) => /boom|isn|can/.test(one))) expect(line.split("'").length % 2).toBe(1);
  }
});

test('what is not a shell is refused, with those there are', async () => {
  const { code, stderr } = await runCommand(completionCommand(), ['tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});
