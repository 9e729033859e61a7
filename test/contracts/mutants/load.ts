import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OpenGateway } from '../../../contracts/tools/reference-gateway.ts';
import type { Edit } from './mutation.ts';

const root = join(import.meta.dirname, '../../..');
/** The module that opens the gateway. */
const reference = pathToFileURL(join(root, 'contracts/tools/reference-gateway.ts')).href;

interface Changed {
  edits: readonly Edit[];
  /** The URLs of the modules that are edited or reach such a module by imports. */
  modules: ReadonlySet<string>;
}

/** Each changed gateway that was loaded, by the number in the query of its modules' URLs. */
const loaded: Changed[] = [];

const numberIn = (url: string | undefined) => /^file:.*\?changed=(\d+)$/.exec(url ?? '')?.[1];

/** The modules that import each module, by URL. */
const importers = new Map<string, Set<string>>();
for (const folder of ['gateway', 'spec', 'contracts'])
  for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.ts'),
  )) {
    const url = pathToFileURL(join(root, folder, file)).href;
    const imports = readFileSync(new URL(url), 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm,
    );
    for (const [, fixed, dynamic] of imports) {
      const imported = new URL((fixed ?? dynamic) as string, url).href;
      importers.set(imported, (importers.get(imported) ?? new Set()).add(url));
    }
  }

function reaching(urls: Iterable<string>): Set<string> {
  const found = new Set(urls);
  // A set also iterates over what is added meanwhile.
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer);
  return found;
}

// A changed gateway is a second set of those modules that its edits change: what one of them imports gets its query. It shares the others.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const number = numberIn(context.parentURL);
    if (number === undefined || !loaded[Number(number)]?.modules.has(found.url)) return found;
    return { ...found, url: `${found.url}?changed=${number}` };
  },
  load(url, context, next) {
    const number = numberIn(url);
    if (number === undefined) return next(url, context);
    const path = fileURLToPath(url.split('?')[0] as string);
    const edits = loaded[Number(number)]?.edits.filter(([file]) => join(root, file) === path) ?? [];
    const source = edits.reduce((text, [, before, after]) => text.replace(before, after), readFileSync(path, 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

/** Loads the gateway with these edits. Throws if an edit changes nothing. */
export async function loadChanged(edits: readonly Edit[]): Promise<OpenGateway> {
  for (const [file, before, after] of edits) {
    const text = readFileSync(join(root, file), 'utf8');
    if (text.replace(before, after) === text) throw new Error(`${file} has no ${before}: correct the mutation.`);
  }
  const modules = reaching(edits.map(([file]) => pathToFileURL(join(root, file)).href));
  if (!modules.has(reference)) throw new Error(`${reference} does not import ${edits[0]?.[0]}: correct the mutation.`);
  const number = loaded.push({ edits, modules }) - 1;
  return (await import(`${reference}?changed=${number}`)).openReferenceGateway;
}
