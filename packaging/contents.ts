/** What the published package holds beside what its entries import. */

/** Where programs come in, by the name they import; sources, in the repository. */
export const entries: Readonly<Record<string, string>> = {
  '.': 'index.ts',
  './receiver': 'receivers/verify-signature.ts',
  './clients/pos': 'clients/pos.ts',
  './clients/cohesion': 'clients/cohesion.ts',
};

/** The command, and modules that are started by their file's name. */
export const started: readonly string[] = ['cli/passerelle.ts', 'contracts/verification/pact-process.ts'];

/** Data by the name that programs import it by. */
export const documents: Readonly<Record<string, string>> = {
  './openapi/pos.json': 'contracts/openapi/pos.json',
  './openapi/cohesion.json': 'contracts/openapi/cohesion.json',
};

/** Copied as they are: what the command names. npm itself adds README.md and LICENSE. */
export const copied: readonly string[] = ['contracts/verification/STATES.md', 'collections'];

/** The oldest Node that runs what is built: undici 8 needs it, and TypeScript is gone by then. */
export const nodeVersions = '>=22.19';
