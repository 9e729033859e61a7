/** The contents of the published package, beside the files that its entries import. */
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { oldestNode } from '../stubs/node-version.ts';
import type { Group } from './bundle.ts';

const ofServices = (entry: (name: ServiceName) => [string, string]) => Object.fromEntries(serviceNames.map(entry));

/** The package's entry points: import name to source file. */
export const entries: Readonly<Record<string, string>> = {
  '.': 'index.ts',
  './receiver': 'receivers/verify-signature.ts',
  ...ofServices((name) => [`./clients/${name}`, `spec/clients/${name}.ts`]),
  './clients/profile': 'spec/clients/profile.ts',
};

/** The command, and the modules that are started as processes or workers. */
export const started: readonly string[] = [
  'cli/passerelle.ts',
  'contracts/tools/verification/pact-process.ts',
  'gateway/store/pglite/worker.ts',
];

const ofApi = (name: ServiceName) => ['api', 'seed'].map((file) => `gateway/api/${name}/${file}.ts`);
const commands = (...names: string[]) => names.map((name) => `cli/${name}.ts`);

/**
 * What is loaded together, so that a stub's start reads few files. What a light command loads too comes first:
 * it does not read what only a stub needs.
 */
export const groups: readonly Group[] = [
  { name: 'command', shared: true, loadedBy: commands('program', 'stub', 'trigger') },
  {
    name: 'documents',
    shared: true,
    loadedBy: commands('compare', 'coverage', 'doctor', 'gaps', 'listen', 'observe', 'receiver', 'seed', 'states'),
  },
  { name: 'stub', loadedBy: ['stubs/stub.ts', 'stubs/greeting.ts', 'stubs/lines.ts'] },
  { name: 'pos', loadedBy: [...ofApi('pos'), 'stubs/payments/test-numbers.ts', 'stubs/payments/mobile-money.ts'] },
  { name: 'cohesion', loadedBy: ofApi('cohesion') },
];

/** JSON documents: import name to file. */
export const documents: Readonly<Record<string, string>> = {
  ...ofServices((name) => [`./openapi/${name}.json`, `spec/openapi/${name}.json`]),
  './openapi/profile.json': 'spec/openapi/profile.json',
};

/** Packages that public types name: they are dependencies of the package. All others are bundled. */
export const apart: ReadonlySet<string> = new Set(['openapi-fetch']);

/** The built pages, written by `gateway/console/build.ts`. */
const builtPages = 'gateway/console/built';

/** Receivers that need no package and no build. */
const receivers = ['receiver.mjs', 'receiver.php', 'receiver.py', 'receiver.rb', 'receiver.go', 'Receiver.java', 'Receiver.cs'];

/** Copied unchanged. The build also copies README.md, LICENSE and CHANGELOG.md from the root. */
export const copied: readonly string[] = [
  'contracts/tools/verification/STATES.md',
  'stubs/helpers',
  builtPages,
  ...receivers.map((name) => `receivers/samples/${name}`),
];

/**
 * Returns true for files to leave out: source maps, the pages' build stamp, a `.gz` that has a smaller `.br`, and the
 * screenshots (1.3 MB) and decisions in docs/.
 */
export const isLeftOut = (path: string, has: (path: string) => boolean): boolean =>
  /\.(map|sha256)$|\/docs\/(console|decisions)$/.test(path) || (path.endsWith('.gz') && has(path.replace(/gz$/, 'br')));

export const nodeVersions = `>=${oldestNode}`;
