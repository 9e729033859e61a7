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
/** With the steps that are comments, from their `- ` to their last line. */
const withAll = text.replaceAll(/^( *)# (- (?:name|run): .*| {2}.*)$/gm, '$1$2');

describe.each([
  ['as it is', text, ['verify']],
  ['with the steps that are comments', withAll, ['verify', 'verify', 'probe']],
])('the workflow for partners, %s', (_, source, expected) => {
  const { jobs, permissions } = workflow.parse(parse(source));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const own = steps.filter(({ uses }) => uses?.startsWith('YOUR-ORGANIZATION/passerelle@main'));
  const verifications = own.filter((one) => one.with?.command === 'verify').map((one) => String(one.with?.arguments).split('\n'));

  test('uses the commands of the action, flags that verify has, and its report', () => {
    expect(own.map((one) => one.with?.command)).toEqual(expected);
    const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(kept?.if).toContain('!cancelled()');
    for (const words of verifications) {
      expect(words.filter((word) => word.startsWith('--') && !flags.includes(word))).toEqual([]);
      expect(words.includes('--pact') || words.includes('--broker')).toBe(true);
      expect(words[words.indexOf('--output') + 1]).toBe(kept?.with?.path);
    }
  });

  test('reads the repository and nothing else, with actions of a major version', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const others = steps.filter((one) => one.uses !== undefined && !own.includes(one));
    expect(others.filter(({ uses = '' }) => !/^actions\/[a-z-]+@v\d+$/.test(uses))).toEqual([]);
  });

  test('puts no expression into a command, because its text would run', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });
});
