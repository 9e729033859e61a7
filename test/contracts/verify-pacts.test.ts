import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.strictObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.strictObject({ 'runs-on': z.string(), 'timeout-minutes': z.number(), steps: z.array(step) })),
});

const flags = ['pact', 'broker', 'selectors', 'base-url', 'state-url', 'output'].map((name) => `--${name}`);
const text = readFileSync(new URL('../../examples/github/verify-pacts.yml', import.meta.url), 'utf8');
/** The broker's variant is a comment, from its `- name` to its last line. */
const withBroker = text.replaceAll(/^( *)# (- name: Verify the pacts.*| {2}.*)$/gm, '$1$2');

describe.each([
  ['as it is', text, 1],
  ['with the broker’s variant', withBroker, 2],
])('the workflow for partners, %s', (_, source, verifications) => {
  const { jobs, permissions } = workflow.parse(parse(source));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run = '' }) => run.split('\n').filter((line) => line.includes('passerelle verify')));

  test('uses flags that the command has, and its own reports', () => {
    expect(commands).toHaveLength(verifications);
    for (const command of commands) {
      const used = [...command.matchAll(/ (--[a-z-]+)/g)].map(([, flag = '']) => flag);
      expect(used.filter((flag) => !flags.includes(flag))).toEqual([]);
      expect(used).toEqual(expect.arrayContaining(['--output']));
      expect(used.includes('--pact') || used.includes('--broker')).toBe(true);
      expect(command).toContain('passerelle verify pos ');
      expect(command).toContain('--output "$GITHUB_STEP_SUMMARY"');
    }
  });

  test('keeps the JUnit file of the verification, even if it fails', () => {
    const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(kept?.if).toContain('!cancelled()');
    for (const command of commands) expect(command).toContain(`--output ${kept?.with?.path} `);
  });

  test('reads the repository and nothing else, with actions of a major version', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(steps.filter(({ uses }) => uses !== undefined && !/^actions\/[a-z-]+@v\d+$/.test(uses))).toEqual([]);
  });

  test('puts no expression into a command, because its text would run', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });
});
