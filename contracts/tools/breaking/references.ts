import { isRecord, type Json } from '../../json.ts';
import { unescaped } from '../unescaped.ts';
import { CannotJudge } from './rules.ts';

/** A document and the documents that it refers to, by absolute address. */
export interface Source {
  /** The address of the document itself. */
  address: string;
  /** How messages name it. */
  name?: string;
  documents: ReadonlyMap<string, unknown>;
}

/** Keywords whose values are data. A member of such data that looks like a reference is not one. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Keywords whose value is an object with free names. These names are not keywords. */
const named = new Set([
  ...[
    'properties',
    'patternProperties',
    '$defs',
    'definitions',
    'dependentSchemas',
    'schemas',
    'parameters',
    'headers',
    'responses',
  ],
  ...[
    'paths',
    'webhooks',
    'callbacks',
    'content',
    'requestBodies',
    'securitySchemes',
    'pathItems',
    'scopes',
    'variables',
    'links',
  ],
]);

export function eachReference(value: unknown, visit: (reference: string) => void, isNames = false, seen = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) for (const one of value) eachReference(one, visit, false, seen);
  else
    for (const [key, one] of Object.entries(value)) {
      if (!isNames && key === '$ref' && typeof one === 'string') visit(one);
      else if (isNames || !(data.has(key) || key.startsWith('x-'))) eachReference(one, visit, !isNames && named.has(key), seen);
    }
}

/** Returns the address of the document that a reference names, without its fragment. */
export function targetOf(reference: string, base: string): string {
  const [file = ''] = reference.split('#');
  if (file === '') return base;
  const url = URL.parse(file, base);
  if (!url) throw new CannotJudge(`The reference ${reference} is no address.`);
  return url.href;
}

function pointed(document: unknown, fragment: string, reference: string): unknown {
  if (fragment !== '' && !fragment.startsWith('/'))
    throw new CannotJudge(`The reference ${reference} is none of the kind #/components/schemas/NAME.`);
  const names = fragment.split('/').slice(1);
  return names.reduce<unknown>((value, part) => {
    const name = unescaped(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const next = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined;
    if (next === undefined) throw new CannotJudge(`The document has no component ${reference}.`);
    return next;
  }, document);
}

/** What may stand beside a reference without changing its meaning. */
const remarks = new Set(['$ref', 'summary', 'description']);

/**
 * Returns a copy of the document with each reference replaced by its target. A component that contains itself becomes an object that
 * contains itself. Keywords beside a reference count in OpenAPI 3.1 and are ignored in 3.0, as the specifications say.
 */
export function withoutReferences({ address, name: shown = 'The document', documents }: Source): unknown {
  const root = documents.get(address);
  const countsBeside = isRecord(root) && !String(root.openapi).startsWith('3.0');
  const copies = new Map<unknown, unknown>();
  const trail: string[] = [];

  function copied(value: unknown, base: string, isNames = false): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!isNames && isRecord(value) && typeof value.$ref === 'string') return followed(value, base);
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy: unknown[] | Json = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    for (const [key, one] of Object.entries(value)) {
      trail.push(key);
      const isData = !isNames && isRecord(value) && (data.has(key) || key.startsWith('x-'));
      const next = isData ? one : copied(one, base, !isNames && isRecord(value) && named.has(key));
      Object.defineProperty(copy, key, { value: next, enumerable: true, writable: true, configurable: true });
      trail.pop();
    }
    return copy;
  }

  function followed(value: Json, base: string, chain: readonly unknown[] = []): unknown {
    const reference = String(value.$ref);
    if (chain.includes(value)) throw new CannotJudge(`The reference ${reference} leads back to itself.`);
    const at = targetOf(reference, base);
    const target = pointed(documents.get(at), reference.split('#')[1] ?? '', reference);
    const found =
      isRecord(target) && typeof target.$ref === 'string' ? followed(target, at, [...chain, value]) : copied(target, at);
    const beside = Object.entries(value).filter(([key]) => !remarks.has(key));
    if (!countsBeside || beside.length === 0) return found;
    const known = copies.get(value) as Json | undefined;
    if (known) return known;
    const both: Json = { allOf: [found] };
    copies.set(value, both);
    return Object.assign(both, copied(Object.fromEntries(beside), base));
  }

  try {
    return copied(root, address);
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    throw new CannotJudge(`${error.message} ${shown} names it at ${trail.join(', ')}.`);
  }
}
