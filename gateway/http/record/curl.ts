// Only types may be imported here: the console uses this module in the browser.

export type HeaderValues = Readonly<Record<string, unknown>>;

export interface SentRequest {
  /** In capitals. */
  method: string;
  /** The absolute URL. */
  url: string;
  headers: HeaderValues;
  /** '' if there was none. */
  body: string;
}

/** Headers that curl sends by itself, from the URL and the body. */
const headersOfCurl = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'expect',
]);

/** The headers one by one. A header with several values gives one entry per value. */
export const headerLines = (headers: HeaderValues): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [value].flat().map((one) => ({ name, value: String(one) })),
  );

/** Ends a recorded body that is not the whole body. */
export const incomplete = /… \[(?:cut here|not read)[^\]]*\]$/;

/**
 * A curl command for a POSIX shell that repeats the request. It contains the request's secrets: redact them first. A comment
 * at its end says if the body is not what was sent.
 */
export function curlLine(request: SentRequest): string {
  const note = incomplete.exec(request.body);
  if (note === null) return wholeLine(request);
  return `${wholeLine({ ...request, body: request.body.slice(0, note.index) })} # The body is incomplete: ${note[0].slice(3, -1)}`;
}

function wholeLine(request: SentRequest): string {
  const { url, headers, body } = request;
  const words = ['curl', ...methodWords(request), quoted(url)];
  // Without it curl would read brackets and braces in the URL as ranges.
  if (/[[\]{}]/.test(url)) words.splice(1, 0, '--globoff');
  for (const { name, value } of headerLines(headers)) {
    // `name:` would make curl omit the header; `name;` sends it empty.
    if (!headersOfCurl.has(name.toLowerCase())) words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body === '') return words.join(' ');
  // A shell's argument cannot contain a NUL.
  if (body.includes('\0')) return `printf %b ${quoted(escaped(body))} | ${words.join(' ')} --data-binary @-`;
  return [...words, '--data-raw', quoted(body)].join(' ');
}

function methodWords({ method, body }: SentRequest): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && body === '' ? [] : ['-X', quoted(method)];
}

/** Quotes a word. In single quotes every character is literal except the single quote, which goes outside them. */
const quoted = (text: string): string => (/^[\w.:/=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000');
