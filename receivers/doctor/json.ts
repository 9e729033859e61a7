/** How a writer of JSON writes. */
export interface JsonStyle {
  /** Between items, and after a key. */
  comma?: string;
  colon?: string;
  /** Of each level; none puts all on one line. */
  indent?: string;
  sorted?: boolean;
  /** Characters that are written as \uXXXX. */
  escaped?: RegExp;
  slashes?: boolean;
}

type RawNumber = { rawJSON: string };
// TypeScript does not know them yet (ECMAScript's JSON.parse source text access).
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Parses, and keeps how each number was written (1500.00). Throws as JSON.parse does. */
export function parseKeepingNumbers(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** Writes a value in the way of another library. */
export function writeJson(value: unknown, style: JsonStyle, depth = 0): string {
  if (typeof value === 'string') return writeString(value, style);
  if (value === null || typeof value !== 'object') return String(value);
  if (isRawJSON(value)) return value.rawJSON;
  const { comma = ',', colon = ':', indent, sorted } = style;
  const within = (one: unknown) => writeJson(one, style, depth + 1);
  const keys = sorted ? Object.keys(value).sort() : Object.keys(value);
  const items = Array.isArray(value)
    ? value.map(within)
    : keys.map((key) => `${writeString(key, style)}${colon}${within((value as Record<string, unknown>)[key])}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (indent === undefined || items.length === 0) return `${open}${items.join(comma)}${close}`;
  const inner = `\n${indent.repeat(depth + 1)}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${indent.repeat(depth)}${close}`;
}

/** Of one UTF-16 unit: a character beyond them is two escapes, as JSON has it. */
const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function writeString(text: string, { escaped, slashes }: JsonStyle): string {
  const written = escaped ? JSON.stringify(text).replaceAll(escaped, unicodeEscape) : JSON.stringify(text);
  return slashes ? written.replaceAll('/', '\\/') : written;
}
