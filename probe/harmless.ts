import { isDeepStrictEqual } from 'node:util';
import { parsed } from '../contracts/tools/assumptions/asked.ts';
import type { Harmless } from '../stubs/assume/types.ts';
import type { Shown } from './types.ts';

/** What a harmless change does on the wire, as headers of the plain reply and of the changed one. */
const onTheWire: Readonly<Record<string, (bytes: number) => [Record<string, string>, Record<string, string>]>> = {
  'harmless.chunked': (bytes) => [{ 'content-length': String(bytes) }, { 'transfer-encoding': 'chunked' }],
  'harmless.gzip': () => [{}, { 'content-encoding': 'gzip' }],
  'harmless.connection-close': () => [{ connection: 'keep-alive' }, { connection: 'close' }],
};

/** Changes of the text of a body. */
const ofTexts: ReadonlySet<string> = new Set(
  ['extra-fields', 'key-order', 'whitespace', 'escapes', 'decimals'].map((name) => `harmless.${name}`),
);

/** False if the change leaves this body as it is: a body without numbers has no decimals. True for changes that are not about texts. */
export function changesText(gap: string, body: unknown, harmless: Harmless | undefined): boolean {
  if (!ofTexts.has(gap) || harmless === undefined) return true;
  const text = String(body ?? '');
  const value = parsed(text);
  return value !== undefined && typeof value !== 'string' && harmless.text(value) !== text;
}

/** A reply or webhook as it is, and under a harmless change. Undefined if the change does not show in one of them alone. */
export function harmlessSides(gap: string, shown: Shown, harmless: Harmless): { before: Shown; after: Shown } | undefined {
  const text = JSON.stringify(shown.body ?? null);
  const wire = onTheWire[gap]?.(Buffer.byteLength(text));
  if (wire) return { before: withHeaders(shown, wire[0]), after: withHeaders(shown, wire[1]) };
  const headers = harmless.headers(shown.headers);
  if (!isDeepStrictEqual(headers, shown.headers)) return { before: shown, after: { ...shown, headers } };
  if (shown.body === undefined || typeof shown.body === 'string') return undefined;
  const other = harmless.text(shown.body);
  if (other === text) return undefined;
  // Texts that say the same differ only as texts.
  const value: unknown = JSON.parse(other);
  const [before, after] = isDeepStrictEqual(value, shown.body) ? [text, other] : [shown.body, value];
  return { before: { ...shown, body: before }, after: { ...shown, body: after } };
}

const withHeaders = (shown: Shown, headers: Record<string, string>): Shown => ({
  ...shown,
  headers: { ...shown.headers, ...headers },
});
