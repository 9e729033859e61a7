import type { ServiceName } from '../../../contracts/documents/services.ts';
import { isRecord } from '../../../contracts/json.ts';

/** How a JSON text is written: under the changes for which it returns true. Without any it is as `JSON.stringify` writes it. */
export interface Writing {
  api: ServiceName;
  has(change: string): boolean;
}

/** The fields that the documents and the reference call numbers, and nowhere integers. */
export const numbersOf: Readonly<Record<ServiceName, readonly string[]>> = {
  pos: ['quantity', 'price', 'total', 'amount', 'paid', 'remaining', 'low_threshold'],
  cohesion: ['valeur_courante', 'cible_annuelle', 'taux_atteinte', 'budget', 'taux_atteinte_moyen', 'montant'],
};

/** Names that no document uses. They do not say why they are there. */
export const extraFields: Readonly<Record<string, unknown>> = {
  revision: 7,
  checksum: 'c2f1-é',
  is_archived: false,
  labels: ['a', 2],
  links: { self: null },
  archived_reason: null,
};

/** Objects whose names are data: more of them would be more data. `help` is the stub's own. */
const maps: ReadonlySet<string> = new Set(['errors', 'par_statut', 'par_type', 'help']);

/** Writes a JSON value. */
export function written(value: unknown, writing: Writing): string {
  const extended = writing.has('extra-fields') ? withExtraFields(value) : value;
  const text = textOf(extended, writing, { name: '', indent: '\n' });
  return writing.has('whitespace') ? `\n${text}\n` : text;
}

function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, maps.has(name) ? held : withExtraFields(held)]);
  return { ...extraFields, ...Object.fromEntries(entries) };
}

function textOf(value: unknown, writing: Writing, at: { name: string; indent: string }): string {
  const indent = `${at.indent}\t`;
  if (Array.isArray(value))
    return enclosed(
      '[]',
      value.map((one) => textOf(one, writing, { name: at.name, indent })),
      { writing, indent: at.indent },
    );
  if (isRecord(value)) {
    const given = Object.entries(value).filter(([, held]) => held !== undefined);
    const entries = writing.has('key-order') ? given.toReversed() : given;
    const colon = writing.has('whitespace') ? ' : ' : ':';
    const members = entries.map(([name, held]) => `${quoted(name, writing)}${colon}${textOf(held, writing, { name, indent })}`);
    return enclosed('{}', members, { writing, indent: at.indent });
  }
  if (typeof value === 'string') return quoted(value, writing);
  const text = JSON.stringify(value ?? null);
  const hasPoint = writing.has('decimals') && numbersOf[writing.api].includes(at.name);
  return typeof value === 'number' && hasPoint && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function enclosed(
  [open, close]: string,
  parts: readonly string[],
  { writing, indent }: { writing: Writing; indent: string },
): string {
  if (!writing.has('whitespace')) return `${open}${parts.join(',')}${close}`;
  return parts.length === 0 ? `${open} ${close}` : `${open}${indent}\t${parts.join(` ,${indent}\t`)}${indent}${close}`;
}

function quoted(text: string, { has }: Writing): string {
  const json = JSON.stringify(text);
  if (!has('escapes')) return json;
  return json
    .replaceAll('/', '\\/')
    .replace(/^"[A-Za-z]/, (start) => `"${unicode(start.slice(1))}`)
    .replace(/[^\x20-\x7e]/g, unicode);
}

const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
