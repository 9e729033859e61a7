/**
 * Verifies our own pacts with a provider that has one planted fault at a time. Prints JSON: a text for each behaviour that a fault
 * takes away and no interaction that names it notices. It is a program of its own, because Vitest loads modules in its own way.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { cohesionMutations } from './cohesion.ts';
import type { Mutation } from './mutation.ts';
import { posMutations } from './pos.ts';

const root = new URL('../../../', import.meta.url);
/** The module that opens the gateway. */
const reference = new URL('contracts/tools/reference-gateway.ts', root).href;

/** A gateway with one fault: a second set of the modules that its change reaches. It shares all others. */
interface Changed {
  url: string;
  source: string;
  /** The URLs of the changed module and of those that reach it by imports. */
  modules: ReadonlySet<string>;
}
/** Each changed gateway, by the number in the query of its modules' URLs. */
const changed: Changed[] = [];
/** The modules that import each module, by URL, as far as they were loaded. */
const importers = new Map<string, Set<string>>();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const [parent = '', number] = (context.parentURL ?? '').split('?changed=');
    importers.set(found.url, (importers.get(found.url) ?? new Set()).add(parent));
    const isChanged = number !== undefined && changed[Number(number)]?.modules.has(found.url);
    return isChanged ? { ...found, url: `${found.url}?changed=${number}` } : found;
  },
  load(url, context, next) {
    const [original = '', number] = url.split('?changed=');
    if (number === undefined) return next(url, context);
    const one = changed[Number(number)];
    const source = original === one?.url ? one.source : readFileSync(fileURLToPath(original), 'utf8');
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

// After the hooks, so that they see what imports what.
const { openReferenceGateway } = await import('../../../contracts/tools/reference-gateway.ts');
const { readPacts } = await import('../../../contracts/tools/verification/sources.ts');
const { verify } = await import('../../../contracts/tools/verification/run.ts');

/** Loads the gateway with a fault. Throws if it changes nothing. */
async function loadWith({ file, before, after }: Mutation): Promise<typeof openReferenceGateway> {
  const { href: url } = new URL(file, root);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const source = text.replace(before, after);
  if (source === text) throw new Error(`${file} has no ${before}: correct the mutation.`);
  const modules = new Set([url]);
  // A set also iterates over what is added meanwhile.
  for (const one of modules) for (const importer of importers.get(one) ?? []) modules.add(importer);
  if (!modules.has(reference)) throw new Error(`${reference} does not import ${file}: correct the mutation.`);
  const number = changed.push({ url, source, modules }) - 1;
  return (await import(`${reference}?changed=${number}`)).openReferenceGateway;
}

const { pacts } = await readPacts([fileURLToPath(new URL('contracts/pacts', root))]);
const pactsOf = (provider: ServiceName) => pacts.filter((one) => one.provider === provider);

/** Returns the ids that red interactions of a pact name. A fault in a state counts only where `byState` says so. */
async function noticedBy(pact: (typeof pacts)[number], { breaks, byState }: Mutation, open: typeof openReferenceGateway) {
  const only = (_: unknown, { holds }: { holds: readonly string[] }) => holds.some((id) => breaks.includes(id));
  const provider = pact.provider as ServiceName;
  const { verification } = await verify({ provider, from: [pact], only, reference: open });
  const red = verification.interactions.filter(({ problems }) => problems.some(({ kind }) => byState || kind !== 'state'));
  const descriptions = red.map(({ description }) => description);
  return pact.interactions.filter((one) => descriptions.includes(one.description)).flatMap(({ holds }) => holds);
}

async function unnoticed(provider: ServiceName, mutation: Mutation): Promise<string[]> {
  const { breaks, file, before, after } = mutation;
  const open = await loadWith(mutation);
  let missed = [...breaks];
  for (const pact of pactsOf(provider)) {
    // A run of Pact's verifier costs more than the interactions in it.
    if (!pact.interactions.some(({ holds }) => holds.some((id) => missed.includes(id)))) continue;
    const noticed = await noticedBy(pact, mutation, open);
    missed = missed.filter((id) => !noticed.includes(id));
  }
  return missed.map((id) => `${id}: ${file}: ${before} -> ${after}`);
}

// `node run.ts TEXT` plants only the faults whose behaviours have this text in their ids.
const wanted = process.argv[2] ?? '';
const left: string[] = [];
for (const [provider, mutations] of [
  ['pos', posMutations],
  ['cohesion', cohesionMutations],
] as const) {
  const { verification } = await verify({ provider, from: pactsOf(provider), reference: openReferenceGateway });
  const red = verification.interactions.filter(({ outcome }) => outcome !== 'verified');
  left.push(...red.map(({ consumer, description }) => `without a fault: ${consumer}: ${description}`));
  for (const one of mutations.filter(({ breaks }) => breaks.join().includes(wanted)))
    left.push(...(await unnoticed(provider, one)));
}
process.stdout.write(JSON.stringify(left));
