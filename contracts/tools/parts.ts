import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { CouldNotRun } from './could-not-run.ts';

/** Optional packages, each with the feature that needs it. The published package does not install them. */
export const parts = {
  '@pact-foundation/pact-core': 'passerelle verify',
  '@pactflow/openapi-pact-comparator': 'passerelle compare',
  'pino-pretty': 'The readable log',
  '@electric-sql/pglite': 'passerelle gateway',
  bullmq: 'passerelle gateway',
  ioredis: 'passerelle gateway',
  kysely: 'passerelle gateway',
  pg: 'passerelle gateway',
} as const;

export type Part = keyof typeof parts;

/** Returns the installed version of a part, or undefined. */
type Installed = (name: Part) => string | undefined;

const installedHere: Installed = (name) => {
  try {
    const { version } = readManifest(findPackageJSON(name, import.meta.url) ?? '');
    return version;
  } catch {
    return undefined;
  }
};

/** Returns true if a part is installed in a version compatible with the tested one. */
export const hasPart = (name: Part, installed = installedHere): boolean => suits(installed(name), testedVersion(name));

/** Throws `CouldNotRun` with one command that installs all of these parts that are missing. */
export function requireParts(command: string, names: readonly Part[], installed = installedHere): void {
  const missing = names.filter((name) => !hasPart(name, installed));
  if (missing.length > 0) throw new CouldNotRun(missingParts(command, missing, installed));
}

/** The same for all parts of a command. */
export const requirePartsOf = (command: (typeof parts)[Part], installed = installedHere): void =>
  requireParts(
    command,
    (Object.keys(parts) as Part[]).filter((name) => parts[name] === command),
    installed,
  );

/** Passerelle is in no registry: the command names what is missing beside the installed package, and nothing else. */
function missingParts(command: string, names: readonly Part[], installed: Installed): string {
  const wanted = names.map((name) => `${name}@${testedVersion(name)}`);
  const shown = names.map((name) => {
    const other = hasPart(name, installed) ? undefined : installed(name);
    return other === undefined ? name : `${name} (installed: ${other})`;
  });
  const verb = names.length === 1 ? 'is' : 'are';
  return `${command} needs ${shown.join(', ')}, which ${verb} not installed. Where Passerelle is installed: npm install --save-dev ${wanted.join(' ')}`;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  /** Tested versions of the parts; only in the published package.json. */
  parts?: Record<string, string>;
}

const readManifest = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

function testedVersion(name: Part): string {
  const { parts: published, dependencies } = readManifest(new URL('../../package.json', import.meta.url));
  const version = (published ?? dependencies)?.[name];
  if (version === undefined) throw new Error(`package.json names no version of ${name}.`);
  return version;
}

/** Returns true if npm's caret range of the tested version includes the installed version. */
function suits(version: string | undefined, tested: string): boolean {
  if (version === undefined) return false;
  const line = (one: string) => /^(?:0\.)?\d+/.exec(one)?.[0];
  return line(version) === line(tested) && version.localeCompare(tested, 'en', { numeric: true }) >= 0;
}
