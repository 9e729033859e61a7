import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runHere } from '../program.ts';

/** The words that the command line offers for the last word of a line. */
async function offers(...words: string[]): Promise<string[]> {
  const { stdout } = await runHere(['complete', '--', ...words]);
  return stdout.split('\n').flatMap((line) => (line === '' || line.startsWith(':') ? [] : [line.split('\t')[0] ?? '']));
}

test('completion offers commands, subcommands, options and the values of both', async () => {
  expect(await offers('')).toEqual(expect.arrayContaining(['stub', 'verify', 'listen', 'gaps', 'completion']));
  expect(await offers('receiver', 'c')).toEqual(['check']);
  expect(await offers('receiver', 'check', '--rot')).toEqual(['--rotated-secret']);
  expect(await offers('verify', 'w')).toEqual(['webhook-receiver']);
  expect(await offers('stub', '')).toEqual(expect.arrayContaining(['pos', 'cohesion', 'reset', 'calls', 'state']));
  expect(await offers('stub', 'faults', '')).toEqual(['list', 'add', 'remove', 'clear']);
  expect(await offers('stub', 'calls', '--foll')).toEqual(['--follow']);
  expect(await offers('listen', '--token', '')).toEqual([]);
});

test('completion prints a script that bash can parse, and one for zsh and fish', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runHere(['completion', shell]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('passerelle complete --') });
    if (shell === 'bash') expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0);
  }
  expect(await runHere(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash') });
});
