/** What the published package holds beside what its entries import. */

/** Where programs come in, by the name they import; sources, in the repository. */
export const entries: Readonly<Record<string, string>> = {
  '.': 'index.ts',
  './receiver': 'receivers/verify-signature.ts',
  './clients/pos': 'clients/pos.ts',
  './clients/cohesion': 'clients/cohesion.ts',
};

/** The command, and modules that are started by their file's name. */
export const started: readonly string[] = [
  'cli/passerelle.ts',
  'contracts/tools/verification/pact-process.ts',
  'gateway/store/pglite/worker.ts',
];

/** Data by the name that programs import it by. */
export const documents: Readonly<Record<string, string>> = {
  './openapi/pos.json': 'contracts/openapi/pos.json',
  './openapi/cohesion.json': 'contracts/openapi/cohesion.json',
};

/** Packages that public types name: whoever installs ours needs them beside it. All others are part of the bundle. */
export const apart: ReadonlySet<string> = new Set(['openapi-fetch']);

/** The operator's page, which `gateway/console/build.ts` writes. */
const builtConsole = 'gateway/console/built';

/** Copied as they are: what the command names. npm itself adds README.md and LICENSE. */
export const copied: readonly string[] = ['contracts/tools/verification/STATES.md', 'collections', builtConsole];

/**
 * Left out of what is copied: source maps, the stamp of the console's build, a second encoding beside a smaller one, and the
 * screenshots (1.3 MB) and contributors' documents of docs/.
 */
export const isLeftOut = (path: string, has: (path: string) => boolean): boolean =>
  /\.(map|sha256)$|\/docs\/(console|decisions|spec)$/.test(path) || (path.endsWith('.gz') && has(path.replace(/gz$/, 'br')));

/** The oldest Node that runs what is built: undici 8 needs it, and TypeScript is gone by then. */
export const nodeVersions = '>=22.19';
