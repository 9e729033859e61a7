import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  with?: { command?: string; arguments?: string; path?: string };
}
interface Workflow {
  permissions: object;
  jobs: Record<string, { steps: Step[] }>;
}

const flags = ['pact', 'broker', 'selectors', 'base-url', 'state-url', 'output'].map((name) => `--${name}`);
const text = readFileSync(new URL('../../examples/github/verify-pacts.yml', import.meta.url), 'utf8');
/** With the steps that are comments, from their `- ` to their last line. */
const withAll = text.replaceAll(/^( *)# (- (?:name|run): .*| {2}.*)$/gm, '$1$2');

// `.ci/action` judges the whole form of the workflow.
test.each([
  ['as it is', text, ['verify']],
  ['with the steps that are comments', withAll, ['verify', 'verify', 'probe']],
])('the workflow for partners, %s, uses flags that verify has and its report, and no expression runs', (_, source, expected) => {
  const { jobs, permissions }: Workflow = parse(source);
  expect(permissions).toEqual({ contents: 'read' });
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const own = steps.filter(({ uses }) => uses?.startsWith('YOUR-ORGANIZATION/passerelle@main'));
  expect(own.map((one) => one.with?.command)).toEqual(expected);
  const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  expect(kept?.if).toContain('!cancelled()');
  for (const one of own.filter((step) => step.with?.command === 'verify')) {
    const words = String(one.with?.arguments).split('\n');
    expect(words.filter((word) => word.startsWith('--') && !flags.includes(word))).toEqual([]);
    expect(words.includes('--pact') || words.includes('--broker')).toBe(true);
    expect(words[words.indexOf('--output') + 1]).toBe(kept?.with?.path);
  }
  // The text of an expression in a command would run.
  expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
});
