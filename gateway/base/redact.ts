import { type Layer, readLayers } from './layers.ts';
import { isPublic, type NameLists, SecretNames } from './secret-names.ts';

/** Replaces a secret in records and logs. */
export const redacted = '[redacted]';

/** The parts of a call that can hold a secret. */
export interface SecretBearing {
  url: string;
  requestHeaders: Record<string, unknown>;
  requestBody: string | null;
  responseHeaders: Record<string, unknown>;
  responseBody: string | null;
}

/** The part of a text that holds a value, and the quotes that its replacement needs. */
export interface Value {
  from: number;
  to: number;
  quote: string;
}

interface Found {
  secrets: Value[];
  masked: Value[];
}

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32];
const [doubleQuote, singleQuote, backtick, backslash] = [34, 39, 96, 92];
const [slash, colon, equals, greater, openBracket, openBrace] = [47, 58, 61, 62, 91, 123];

/** Names longer than this are read from their end. */
const longestName = 200;
/** A scheme stays, because a wrong one is a common mistake. */
const scheme = /(?:Bearer|Basic|Digest|Token|ApiKey)[ +]+/iy;
const literal = /(?:true|false|null|None|undefined)(?![\w-])/y;
const number = /-?[0-9][0-9.eE+-]*(?=[\s,}\])&;]|$)/y;
/** What may follow a closing quote. Anything else means that the quote belongs to a value that is not well-formed. */
const afterString = /[\s,}\]):;&"'`\\<>=]|$/y;
/**
 * A URL's port or IPv6 address at the end of a text, where it could also be a password that was cut. It may
 * end a sentence.
 */
const port = /[0-9]{1,5}[.,;:)]*$/.source;
const address = /\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?[.,;:)]*$/.source;
/**
 * The beginning of a URL with a password, which may be cut. A port is not a password, nor is an IPv6
 * address.
 */
const authority = new RegExp(`://(?!${address})[^\\s/:@"'?#]*:(?!${port})(?=[^\\s/@"'?#]+(?:@|$))`, 'y');
/** A text without one of these characters contains no names. A text without an escape has only one layer. */
const naming = /[:=>\\%&]/;
const escaping = /\\|%[0-9a-f]{2}|&[a-z#]\w{1,6};/i;

/**
 * Removes secrets from texts and headers by the names before them. It reads JSON, forms, header lines and URLs alike, behind
 * any escapes, and also texts that are cut or malformed: then it removes too much rather than too little.
 */
export class Redaction {
  readonly #names: SecretNames;

  constructor(lists?: NameLists) {
    this.#names = new SecretNames(lists);
  }

  /** These parts of a call, without their secrets. */
  call<C extends Readonly<SecretBearing>>(call: C): Pick<C, keyof SecretBearing> {
    const bodyOf = <B extends string | null>(body: B) => (body === null ? body : (this.text(body) as B));
    return {
      url: this.text(call.url),
      requestHeaders: this.headers(call.requestHeaders),
      requestBody: bodyOf(call.requestBody),
      responseHeaders: this.headers(call.responseHeaders),
      responseBody: bodyOf(call.responseBody),
    };
  }

  /** Headers without their secrets: the same object if there are none. */
  headers<H extends Record<string, unknown>>(headers: H): H {
    let shown: Record<string, unknown> = headers;
    for (const name in headers) {
      const value = headers[name];
      const changed = this.#header(name, value);
      if (changed === value) continue;
      if (shown === headers) shown = { ...headers };
      shown[name] = changed;
    }
    return shown as H;
  }

  /** A text without the values of its secret names: the same text if there are none. */
  text(text: string): string {
    const found = this.#read(text);
    return found === null ? text : withoutValues(withMasks(text, found.masked), found.secrets);
  }

  /** The values that `text` removes from a text. Some may be inside others. */
  valuesIn(text: string): Value[] {
    return this.#read(text)?.secrets ?? [];
  }

  #read(text: string): Found | null {
    if (!naming.test(text)) return null;
    return escaping.test(text) ? this.#findInLayers(text) : this.#find(text);
  }

  #findInLayers(text: string): Found | null {
    const all: Found = { secrets: [], masked: [] };
    const isReadable = readLayers(text, (layer) => {
      const found = this.#find(layer.text);
      for (const value of found?.secrets ?? []) all.secrets.push(inOriginal(value, layer));
      for (const value of found?.masked ?? []) all.masked.push(inOriginal(value, layer));
    });
    // What is behind more escapes than are read may be a secret.
    if (!isReadable) return { secrets: [{ from: 0, to: text.length, quote: '' }], masked: [] };
    return all.secrets.length + all.masked.length > 0 ? all : null;
  }

  #header(name: string, value: unknown): unknown {
    if (Array.isArray(value)) {
      const changed = value.map((one) => this.#header(name, one));
      return changed.some((one, at) => one !== value[at]) ? changed : value;
    }
    if (typeof value !== 'string') return this.#names.treatmentOf(name) === 'redact' ? redacted : value;
    const treatment = this.#names.treatmentOf(name);
    if (treatment === 'keep') return this.text(value);
    if (treatment === 'mask') return maskOf(value);
    if (value === '' || isPublic(value)) return value;
    return value.slice(0, schemeLength(value, 0)) + redacted;
  }

  /** The values of secret and of masked names in a text; null if there are none, which is the usual case. */
  #find(text: string): Found | null {
    let found: Found | null = null;
    let maskedTo = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (sign !== colon && sign !== equals && sign !== greater) continue;
      const password = sign === colon ? passwordAfter(text, at) : null;
      if (password) {
        found ??= { secrets: [], masked: [] };
        found.secrets.push(password);
        continue;
      }
      const name = nameBefore(text, at, sign);
      if (name === null) continue;
      const treatment = this.#names.treatmentIn(text, name.from, name.to);
      if (treatment === 'keep' || (treatment === 'mask' && at < maskedTo)) continue;
      const value = valueAfter(text, at, sign, quoteAt(text, name.to));
      if (value === null || value.from === value.to) continue;
      found ??= { secrets: [], masked: [] };
      if (treatment === 'mask') {
        found.masked.push(value);
        maskedTo = value.to;
        continue;
      }
      if (isPublic(text.slice(value.from, value.to))) continue;
      found.secrets.push(value);
      at = beforeLastSign(text, value) - 1;
    }
    return found;
  }
}

/** The password of a URL whose scheme ends here. */
function passwordAfter(text: string, at: number): Value | null {
  if (text.charCodeAt(at + 1) !== slash) return null;
  authority.lastIndex = at;
  if (!authority.test(text)) return null;
  const from = authority.lastIndex;
  return { from, to: stop(text, from, /@/g), quote: '' };
}

/** Removes the names of the list, and masks nothing. */
export const standardRedaction = new Redaction();

interface Name {
  from: number;
  to: number;
}

/** The name before a colon or an equals sign; for `>`, the name of the XML element that it begins. */
function nameBefore(text: string, at: number, sign: number): Name | null {
  if (sign === greater) return elementBefore(text, at);
  let end = at;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const last = text.charCodeAt(end - 1);
  const least = Math.max(0, end - longestName);
  let start = end;
  if (isQuote(last)) {
    start = end - 1;
    while (start > least && text.charCodeAt(start - 1) !== last) start -= 1;
    return start === end - 1 ? null : { from: start, to: end - 1 };
  }
  while (start > least && isOfName(text.charCodeAt(start - 1))) start -= 1;
  return start === end ? null : { from: start, to: end };
}

function elementBefore(text: string, at: number): Name | null {
  const least = Math.max(0, at - longestName);
  let start = at;
  while (start > least && text.charCodeAt(start - 1) !== 60) start -= 1;
  if (start === at || start === least) return null;
  const length = text.slice(start, at).search(/[\s/]|$/);
  return length === 0 ? null : { from: start, to: start + length };
}

/** The value after a colon, an equals sign or the beginning of an element. Null if it is no secret, or begins behind escapes. */
function valueAfter(text: string, at: number, sign: number, quote: string): Value | null {
  let from = at + 1;
  if (sign === greater) return { from, to: stop(text, from, /</g), quote: '' };
  while (from < text.length && (isBlank(text.charCodeAt(from)) || isSign(text.charCodeAt(from)))) from += 1;
  const first = text.charCodeAt(from);
  if (isQuote(first)) {
    const inside = from + 1;
    return { from: inside + schemeLength(text, inside), to: stringEnd(text, inside, first), quote: '' };
  }
  if (first === backslash && /\\+["'`]/y.test(text.slice(from, from + longestName))) return null;
  if (first === openBrace || first === openBracket) return { from, to: groupEnd(text, from), quote };
  literal.lastIndex = from;
  if (literal.test(text)) return null;
  from += schemeLength(text, from);
  return { from, to: bareEnd(text, from, sign, quote), quote };
}

function bareEnd(text: string, from: number, sign: number, quote: string): number {
  if (quote !== '') {
    number.lastIndex = from;
    if (number.test(text)) return number.lastIndex;
  }
  return stop(text, from, sign === equals && quote === '' ? /[&\s"]/g : /[\r\n"]/g);
}

function stop(text: string, from: number, stops: RegExp): number {
  stops.lastIndex = from;
  return stops.exec(text)?.index ?? text.length;
}

/** The index of the closing quote, or the text's end if it was cut. */
function stringEnd(text: string, from: number, quote: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) {
      afterString.lastIndex = at + 1;
      if (afterString.test(text)) return at;
    }
  }
  return text.length;
}

/** The index after the closing bracket, or the text's end if it was cut. */
function groupEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) at = stringEnd(text, at + 1, code);
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === openBrace + 2 || code === openBracket + 2) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Where to continue after a value. The value may end with a name that has its own value after it: `token: secret="..."`. */
function beforeLastSign(text: string, { from, to }: Value): number {
  let at = to;
  while (at > from && (isBlank(text.charCodeAt(at - 1)) || isSign(text.charCodeAt(at - 1)))) at -= 1;
  return at;
}

function schemeLength(text: string, from: number): number {
  scheme.lastIndex = from;
  return scheme.test(text) ? scheme.lastIndex - from : 0;
}

const quoteAt = (text: string, at: number): string => (isQuote(text.charCodeAt(at)) ? text.charAt(at) : '');
const isBlank = (code: number) => code === space || code === newline || code === tab || code === carriageReturn;
const isSign = (code: number) => code === colon || code === equals || code === greater;
const isQuote = (code: number) => code === doubleQuote || code === singleQuote || code === backtick;

/** Letters, digits, `_-.$@%\[]~!*` and everything beyond ASCII. */
const isOfName = (code: number) => code > 127 || nameCodes[code] === 1;
const nameCodes = Uint8Array.from({ length: 128 }, (_none, code) =>
  /[\w\-.$@%\\[\]~!*]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const inOriginal = ({ from, to, quote }: Value, { origin }: Layer): Value =>
  origin === null ? { from, to, quote } : { from: origin[from] as number, to: origin[to] as number, quote };

/** A text without values of it, which may overlap. */
export function withoutValues(text: string, values: readonly Value[]): string {
  let shown = '';
  let end = 0;
  for (const { from, to, quote } of values.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    if (from >= end) shown += `${text.slice(end, from)}${quote}${redacted}${quote}`;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}

function withMasks(text: string, values: readonly Value[]): string {
  let shown = text;
  for (const { from, to } of values) shown = shown.slice(0, from) + maskOf(shown.slice(from, to)) + shown.slice(to);
  return shown;
}

/** The value with all its letters and digits but the last two as asterisks. It keeps its length. */
function maskOf(value: string): string {
  const shown = [...value.matchAll(/[\p{L}\p{N}]/gu)].at(-2)?.index ?? value.length;
  return value.slice(0, shown).replace(/[\p{L}\p{N}]/gu, (char) => '*'.repeat(char.length)) + value.slice(shown);
}
