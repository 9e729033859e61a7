export interface JsonStyle {
  /** The separators between items, and after a key. */
  comma?: string;
  colon?: string;
  /** Indentation per level; without it, everything is on one line. */
  indent?: string;
  sorted?: boolean;
  /** Characters to write as \uXXXX. */
  escaped?: RegExp;
  slashes?: boolean;
}

type RawNumber = { rawJSON: string };
// ECMAScript's JSON.parse source text access, for which TypeScript has no types yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Parses JSON and keeps the text of each number (1500.00). Throws like JSON.parse. */
export function parseKeepingNumbers(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

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

/** Returns the escape of one UTF-16 unit. Characters beyond U+FFFF take two escapes. */
const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function writeString(text: string, { escaped, slashes }: JsonStyle): string {
  const written = escaped ? JSON.stringify(text).replaceAll(escaped, unicodeEscape) : JSON.stringify(text);
  return slashes ? written.replaceAll('/', '\\/') : written;
}
