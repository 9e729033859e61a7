import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readGuide } from './guide.ts';

interface Workflow {
  permissions: object;
  jobs: Record<string, { container?: string; steps: { run?: string }[] }>;
}

test('the GitHub workflow runs .ci/run in a container, with read access only', () => {
  const { permissions, jobs } = parse(readGuide('.github/workflows/ci.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.values(jobs)).toHaveLength(1);
  const [job] = Object.values(jobs);
  // .ci/run installs Debian packages, so it must be root, on Debian.
  expect(job?.container).toMatch(/^node:\d+-bookworm$/);
  expect(job?.steps.map(({ run }) => run)).toContain('.ci/run');
  const executable = 0o111;
  expect(statSync(join(import.meta.dirname, '../../.ci/run')).mode & executable).toBe(executable);
});
