import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { CouldNotRun } from './could-not-run.ts';

/** Packages that a few commands need and a stub does not: the published package leaves them to whoever wants them. */
export const parts = {
  '@pact-foundation/pact-core': 'passerelle verify',
  '@pactflow/openapi-pact-comparator': 'passerelle compare',
  '@fastify/swagger-ui': 'The page /docs',
  'pino-pretty': 'A log for the eye',
  '@electric-sql/pglite': 'passerelle gateway',
  bullmq: 'passerelle gateway',
  ioredis: 'passerelle gateway',
  kysely: 'passerelle gateway',
  pg: 'passerelle gateway',
} as const;

export type Part = keyof typeof parts;

/** The version of a part that is installed, or undefined. */
type Installed = (name: Part) => string | undefined;

const installedHere: Installed = (name) => {
  try {
    const { version } = readManifest(findPackageJSON(name, import.meta.url) ?? '');
    return version;
  } catch {
    return undefined;
  }
};

/** Whether a part is there, in a version that works as the tested one does. */
export const hasPart = (name: Part, installed = installedHere): boolean => suits(installed(name), testedVersion(name));

/** Throws `CouldNotRun` with the command that installs the part, where it is missing. */
export function requirePart(name: Part): void {
  if (!hasPart(name)) throw new CouldNotRun(missingPart(name));
}

/** The same for all that a command needs: one line, and one command, for all that are missing. */
export function requirePartsOf(command: (typeof parts)[Part], installed = installedHere): void {
  const missing = (Object.keys(parts) as Part[]).filter((name) => parts[name] === command && !hasPart(name, installed));
  if (missing.length > 0) throw new CouldNotRun(missingParts(command, missing, { installed }));
}

/** One line for whoever lacks the part. */
export const missingPart = (name: Part): string => missingParts(parts[name], [name], { how: '--save-dev ' });

/** It names Passerelle too: the copy that npx keeps for itself would not see the parts. */
function missingParts(command: string, names: readonly Part[], { how = '', installed = installedHere }): string {
  const wanted = names.map((name) => `${name}@${testedVersion(name)}`);
  const shown = names.map((name) => {
    const other = hasPart(name, installed) ? undefined : installed(name);
    return other === undefined ? name : `${name} (another one than ${other})`;
  });
  const verb = names.length === 1 ? 'is' : 'are';
  return `${command} needs ${shown.join(', ')}, which ${verb} not installed: npm install ${how}passerelle ${wanted.join(' ')}`;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  /** What is published has the versions of its parts here. */
  parts?: Record<string, string>;
}

const readManifest = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

function testedVersion(name: Part): string {
  const { parts: published, dependencies } = readManifest(new URL('../../package.json', import.meta.url));
  const version = (published ?? dependencies)?.[name];
  if (version === undefined) throw new Error(`package.json names no version of ${name}.`);
  return version;
}

/** As npm's caret has it: not older, and nothing that may break. */
function suits(version: string | undefined, tested: string): boolean {
  if (version === undefined) return false;
  const line = (one: string) => /^(?:0\.)?\d+/.exec(one)?.[0];
  return line(version) === line(tested) && version.localeCompare(tested, 'en', { numeric: true }) >= 0;
}
