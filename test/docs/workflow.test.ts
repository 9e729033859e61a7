import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readGuide } from './guide.ts';

interface Workflow {
  permissions: object;
  jobs: Record<string, { container?: string; steps: { run?: string }[] }>;
}

test.each([
  ['ci.yml', '.ci/run'],
  ['release.yml', '.ci/release'],
])('the GitHub workflow %s runs %s in a container, with read access only', (file, script) => {
  const { permissions, jobs } = parse(readGuide(`.github/workflows/${file}`)) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.values(jobs)).toHaveLength(1);
  const [job] = Object.values(jobs);
  // The script installs Debian packages, so it must be root, on Debian.
  expect(job?.container).toMatch(/^node:\d+-bookworm$/);
  expect(job?.steps.map(({ run }) => run)).toContain(script);
  const executable = 0o111;
  expect(statSync(join(import.meta.dirname, '../..', script)).mode & executable).toBe(executable);
});
