import { readFileSync } from 'node:fs';
import { hasPackage } from '../gateway/has-package.ts';
import { CouldNotRun } from './could-not-run.ts';

/** Packages that a few commands need and a stub does not: the published package leaves them to whoever wants them. */
export const parts = {
  '@pact-foundation/pact-core': 'passerelle verify',
  '@pact-foundation/pact-cli': 'passerelle broker',
  '@pactflow/openapi-pact-comparator': 'passerelle compare',
  '@fastify/swagger-ui': 'The page /docs',
  'pino-pretty': 'A log for the eye',
} as const;

export type Part = keyof typeof parts;

/** Whether a part is there. */
export const hasPart = (name: Part): boolean => hasPackage(name);

interface Manifest {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Throws `CouldNotRun` with the command that installs the part, where it is missing. */
export function requirePart(name: Part): void {
  if (!hasPart(name)) throw new CouldNotRun(missingPart(name));
}

/** One line for whoever lacks the part. It names Passerelle too: the copy that npx keeps for itself would not see the part. */
export function missingPart(name: Part): string {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as Manifest;
  const version = peerDependencies?.[name] ?? dependencies?.[name] ?? 'latest';
  return `${parts[name]} needs ${name}, which is not installed: npm install --save-dev passerelle ${name}@${version.replace('^', '')}`;
}
