import { createHash } from 'node:crypto';
import { type JsonStyle, parseKeepingNumbers, writeJson } from './json.ts';
import type { MistakeId, Variant } from './mistakes.ts';

const beyondAscii = /[\u0080-\uffff]/g;
const html = /[<>&\u2028\u2029]/g;

/** JSON styles of other writers, each with its mistake. If several produce the same bytes, the first one counts. */
const rewritings: readonly (JsonStyle & { id: MistakeId })[] = [
  { id: 'body_spaced', comma: ', ', colon: ': ', escaped: beyondAscii },
  { id: 'body_spaced', comma: ', ', colon: ': ' },
  { id: 'body_spaced', colon: ': ' },
  { id: 'body_escaped', escaped: beyondAscii, slashes: true },
  { id: 'body_escaped', escaped: beyondAscii },
  { id: 'body_escaped', slashes: true },
  { id: 'body_escaped', escaped: html },
  { id: 'body_indented', colon: ': ', indent: '  ' },
  { id: 'body_indented', colon: ': ', indent: '    ' },
  { id: 'body_indented', colon: ': ', indent: '\t' },
  { id: 'body_indented', colon: ': ', indent: '  ', escaped: beyondAscii },
  { id: 'body_indented', colon: ': ', indent: '    ', escaped: beyondAscii },
  { id: 'body_indented', colon: ': ', indent: '    ', escaped: beyondAscii, slashes: true },
  { id: 'body_sorted', sorted: true },
  { id: 'body_sorted', sorted: true, escaped: beyondAscii },
  { id: 'body_sorted', sorted: true, comma: ', ', colon: ': ', escaped: beyondAscii },
  { id: 'body_sorted', sorted: true, comma: ', ', colon: ': ' },
];

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const bytesOf = (text: string) => Buffer.from(text, 'utf8');
/** Converts a body to text with one character per byte. */
const binary = (body: Buffer) => body.toString('latin1');
const edited = (body: Buffer, edit: (text: string) => string) => Buffer.from(edit(binary(body)), 'latin1');

/** Common changes of bytes, each reversed. `apply` returns null if the change cannot have happened. */
const edits: readonly { id: MistakeId; apply(body: Buffer): Buffer | null }[] = [
  { id: 'newline_extra', apply: (body) => edited(body, (text) => text.replace(/\r?\n$/, '')) },
  { id: 'newline_missing', apply: (body) => edited(body, (text) => `${text}\n`) },
  { id: 'newline_missing', apply: (body) => edited(body, (text) => `${text}\r\n`) },
  { id: 'white_space', apply: (body) => edited(body, (text) => text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')) },
  { id: 'line_ends', apply: (body) => edited(body, (text) => text.replaceAll('\r\n', '\n')) },
  { id: 'line_ends', apply: (body) => edited(body, (text) => text.replaceAll(/\r?\n/g, '\r\n')) },
  { id: 'bom_extra', apply: (body) => (body.indexOf(byteOrderMark) === 0 ? body.subarray(3) : null) },
  { id: 'bom_missing', apply: (body) => Buffer.concat([byteOrderMark, body]) },
  { id: 'encoding', apply: (body) => bytesOf(binary(body)) },
  { id: 'encoding', apply: (body) => Buffer.from(body.toString('utf8'), 'latin1') },
  { id: 'encoding', apply: (body) => bytesOf(new TextDecoder('windows-1252').decode(body)) },
  { id: 'encoding', apply: (body) => Buffer.from(body.toString('utf8'), 'utf16le') },
  { id: 'encoding', apply: (body) => (body.length % 2 === 0 ? bytesOf(body.toString('utf16le')) : null) },
  { id: 'body_base64', apply: decoded },
  { id: 'body_base64', apply: (body) => Buffer.from(body.toString('base64')) },
  { id: 'body_quoted', apply: unquoted },
  { id: 'body_quoted', apply: (body) => bytesOf(JSON.stringify(body.toString('utf8'))) },
  { id: 'body_data_only', apply: dataOf },
];

/** Edits that are tried last: another change that gives the same bytes is likelier. */
const lastEdits: typeof edits = [
  ...[{ escaped: beyondAscii }, { escaped: beyondAscii, slashes: true }].map((style) => ({
    id: 'body_quoted' as const,
    apply: (body: Buffer) => bytesOf(writeJson(body.toString('utf8'), style)),
  })),
  { id: 'body_object', apply: (body) => edited(body, pythonBytes) },
  { id: 'body_empty', apply: () => Buffer.alloc(0) },
  // What languages print for an object: JavaScript, PHP, and the JSON of a parser that read nothing.
  ...['[object Object]', 'Array', '{}', '[]', 'null', 'undefined'].map((text) => ({
    id: 'body_object' as const,
    apply: () => bytesOf(text),
  })),
];

function decoded(body: Buffer): Buffer | null {
  const text = binary(body).trim();
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

function unquoted(body: Buffer): Buffer | null {
  const parsed = parsedOrUndefined(body);
  return typeof parsed === 'string' ? bytesOf(parsed) : null;
}

/** What Python makes of bytes inside a text: b'...'. */
function pythonBytes(bytes: string): string {
  const named: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
  const escaped = bytes.replaceAll(
    /[\\\x00-\x1f\x7f-\xff]/g,
    (one) => named[one] ?? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `b'${escaped.replaceAll("'", "\\'")}'`;
}

function dataOf(body: Buffer): Buffer | null {
  const parsed = parsedOrUndefined(body);
  if (parsed === null || typeof parsed !== 'object' || !('data' in parsed)) return null;
  return bytesOf(writeJson(parsed.data, {}));
}

function parsedOrUndefined(body: Buffer): unknown {
  try {
    return parseKeepingNumbers(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the body in other JSON styles. Numbers are written as received (1500.00) and as JavaScript writes them. */
function rewritten(body: Buffer): Variant<Buffer>[] {
  const kept = parsedOrUndefined(body);
  if (kept === undefined || typeof kept === 'string') return [];
  const plain: unknown = JSON.parse(body.toString('utf8'));
  const asJavaScript = JSON.stringify(plain);
  const asItWas = writeJson(kept, {});
  const values = asItWas === asJavaScript ? [plain] : [kept, plain];
  const styled = rewritings.flatMap(({ id, ...style }) =>
    values.map((value) => ({ mistakes: [id], value: bytesOf(writeJson(value, style)) })),
  );
  const compact = [asJavaScript, asItWas].map((text) => ({ mistakes: ['body_rewritten' as const], value: bytesOf(text) }));
  return [...compact, ...styled];
}

const editedBy = (by: typeof edits, body: Buffer): Variant<Buffer>[] =>
  by.flatMap(({ id, apply }) => {
    const value = apply(body);
    return value === null ? [] : [{ mistakes: [id], value }];
  });

/** Returns the body unchanged, and with each single mistake undone, without duplicates. */
export function bodyVariants(body: Buffer): Variant<Buffer>[] {
  const found = new Map<string, Variant<Buffer>>();
  for (const variant of [
    { mistakes: [], value: body },
    ...editedBy(edits, body),
    ...rewritten(body),
    ...editedBy(lastEdits, body),
  ]) {
    const key = createHash('sha256').update(variant.value).digest('base64');
    if (!found.has(key)) found.set(key, variant);
  }
  return [...found.values()];
}
