import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OpenGateway } from '../../../contracts/tools/reference-gateway.ts';
import type { Edit } from './mutation.ts';

const root = join(import.meta.dirname, '../../..');
const gateway = pathToFileURL(join(root, 'gateway')).href;
/** The module that opens the gateway. */
const reference = pathToFileURL(join(root, 'contracts/tools/reference-gateway.ts')).href;

/** The edits of each changed gateway that was loaded, by the number in the query of its modules' URLs. */
const loaded: (readonly Edit[])[] = [];

const numberIn = (url: string | undefined) => /^file:.*\?changed=(\d+)$/.exec(url ?? '')?.[1];

/** Returns true for a module of the gateway, and for one outside it that an edit changes. */
const isChanged = (url: string, number: string) =>
  url.startsWith(`${gateway}/`) || loaded[Number(number)]?.some(([file]) => url === pathToFileURL(join(root, file)).href);

// A changed gateway is a second set of modules: what one of them imports gets its query.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const number = numberIn(context.parentURL);
    if (number === undefined || numberIn(found.url) !== undefined || !isChanged(found.url, number)) return found;
    return found.url.endsWith('.ts') ? { ...found, url: `${found.url}?changed=${number}` } : found;
  },
  load(url, context, next) {
    const number = numberIn(url);
    if (number === undefined) return next(url, context);
    const path = fileURLToPath(url.split('?')[0] as string);
    const edits = loaded[Number(number)]?.filter(([file]) => join(root, file) === path) ?? [];
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
  const number = loaded.push(edits) - 1;
  return (await import(`${reference}?changed=${number}`)).openReferenceGateway;
}
