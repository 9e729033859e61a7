/** The contents of the published package, beside the files that its entries import. */
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';

const ofServices = (entry: (name: ServiceName) => [string, string]) => Object.fromEntries(serviceNames.map(entry));

/** The package's entry points: import name to source file. */
export const entries: Readonly<Record<string, string>> = {
  '.': 'index.ts',
  './receiver': 'receivers/verify-signature.ts',
  ...ofServices((name) => [`./clients/${name}`, `clients/${name}.ts`]),
};

/** The command, and the modules that are started as processes or workers. */
export const started: readonly string[] = [
  'cli/passerelle.ts',
  'contracts/tools/verification/pact-process.ts',
  'gateway/store/pglite/worker.ts',
];

/** JSON documents: import name to file. */
export const documents: Readonly<Record<string, string>> = ofServices((name) => [
  `./openapi/${name}.json`,
  `contracts/openapi/${name}.json`,
]);

/** Packages that public types name: they are dependencies of the package. All others are bundled. */
export const apart: ReadonlySet<string> = new Set(['openapi-fetch']);

/** The built console, written by `gateway/console/build.ts`. */
const builtConsole = 'gateway/console/built';

/** Copied unchanged. The build also copies README.md, LICENSE and CHANGELOG.md from the root. */
export const copied: readonly string[] = ['contracts/tools/verification/STATES.md', 'collections', builtConsole];

/**
 * Returns true for files to leave out: source maps, the console's build stamp, a `.gz` that has a smaller `.br`, and the
 * screenshots (1.3 MB), decisions and API documents in docs/.
 */
export const isLeftOut = (path: string, has: (path: string) => boolean): boolean =>
  /\.(map|sha256)$|\/docs\/(console|decisions|spec)$/.test(path) || (path.endsWith('.gz') && has(path.replace(/gz$/, 'br')));

/** The oldest supported Node: undici 8 needs it. */
export const nodeVersions = '>=22.19';
