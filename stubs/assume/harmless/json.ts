import type { ServiceName } from '../../../spec/documents/services.ts';
import { isRecord } from '../../../spec/json.ts';

/** Returns true for a harmless change that is active, such as `gzip`. */
export type Has = (change: string) => boolean;

/** How a JSON text is written. Without changes it is as `JSON.stringify` writes it. */
export interface Writing {
  api: ServiceName;
  has: Has;
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

export function written(value: unknown, { api, has }: Writing): string {
  const extended = has('extra-fields') ? withExtraFields(value) : value;
  let text = JSON.stringify(extended ?? null, has('key-order') ? reversed : undefined, has('whitespace') ? '\t' : undefined);
  if (has('decimals')) text = text.replace(wholeNumbers[api], '$&.0');
  if (has('escapes')) text = text.replace(texts, escaped);
  // Line breaks in the text are only between values or names, never inside them.
  return has('whitespace') ? `\n${text.replace(/^(\t*"(?:[^"\\]|\\.)*"):/gm, '$1 :').replaceAll(',\n', ' ,\n')}\n` : text;
}

const reversed = (_: string, held: unknown) => (isRecord(held) ? Object.fromEntries(Object.entries(held).toReversed()) : held);

const texts = /"(?:[^"\\]|\\.)*"/g;

const wholeNumbersOf = (api: ServiceName) => new RegExp(`"(?:${numbersOf[api].join('|')})":\\s*-?\\d+(?![\\d.e])`, 'g');
const wholeNumbers: Readonly<Record<ServiceName, RegExp>> = { pos: wholeNumbersOf('pos'), cohesion: wholeNumbersOf('cohesion') };

function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, maps.has(name) ? held : withExtraFields(held)]);
  return { ...extraFields, ...Object.fromEntries(entries) };
}

const escaped = (json: string): string =>
  json
    .replaceAll('/', '\\/')
    .replace(/^"[A-Za-z]/, (start) => `"${unicode(start.slice(1))}`)
    .replace(/[^\x20-\x7e]/g, unicode);

const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
