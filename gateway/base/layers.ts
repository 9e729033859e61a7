/**
 * A text may hold another one behind escapes: JSON in a string of JSON, a form in a query string. Each layer is the text with
 * one kind of escape removed once, and knows where its characters come from.
 */
export interface Layer {
  text: string;
  /** The index of each character in the original text, and its length at the end. Null if they are the same. */
  origin: Int32Array | null;
}

/** A text with more layers than this is not read. */
const mostLayers = 24;

const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', equals: '=', colon: ':' };
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** Each kind of escape: the character that begins it, the escape as a whole, and the character it stands for. */
const escapes: readonly { sign: string; form: RegExp; decode(match: RegExpExecArray): string }[] = [
  {
    sign: '\\',
    form: /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi,
    decode: ([, long, short, other = '']) => ((long ?? short) ? charOf(long ?? short, 16) : (controls[other] ?? other)),
  },
  { sign: '%', form: /%([0-9a-f]{2})/gi, decode: ([, hex]) => charOf(hex, 16) },
  {
    sign: '&',
    form: /&(?:#x([0-9a-f]{1,4})|#([0-9]{1,5})|(quot|apos|amp|lt|gt|equals|colon));/gi,
    decode: ([, hex, decimal, name = '']) =>
      hex ? charOf(hex, 16) : decimal ? charOf(decimal, 10) : (named[name.toLowerCase()] ?? ''),
  },
];

const charOf = (digits: string | undefined, base: number): string => String.fromCharCode(Number.parseInt(digits ?? '', base));

/** Calls `read` with the text and with each layer below it. Returns false if there are too many. */
export function readLayers(text: string, read: (layer: Layer) => void): boolean {
  const seen = new Set([text]);
  const waiting: Layer[] = [{ text, origin: null }];
  for (let layer = waiting.shift(); layer !== undefined; layer = waiting.shift()) {
    read(layer);
    for (const { sign, form, decode } of escapes) {
      if (!layer.text.includes(sign)) continue;
      const below = without(layer, form, decode);
      if (below === null || seen.has(below.text)) continue;
      if (seen.size >= mostLayers) return false;
      seen.add(below.text);
      waiting.push(below);
    }
  }
  return true;
}

function without({ text, origin }: Layer, form: RegExp, decode: (match: RegExpExecArray) => string): Layer | null {
  const from = new Int32Array(text.length + 1);
  const parts: string[] = [];
  let [read, written] = [0, 0];
  const copy = (end: number) => {
    parts.push(text.slice(read, end));
    for (; read < end; read++) from[written++] = origin === null ? read : (origin[read] as number);
  };
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    copy(match.index);
    parts.push(decode(match));
    from[written++] = origin === null ? read : (origin[read] as number);
    read = match.index + match[0].length;
  }
  if (read === 0) return null;
  copy(text.length);
  from[written] = origin === null ? text.length : (origin[text.length] as number);
  return { text: parts.join(''), origin: from };
}
