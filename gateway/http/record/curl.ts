/** No import here but of types: the console's page uses this module in the browser. */
export type HeaderValues = Readonly<Record<string, unknown>>;

/** A request as its client wrote it. */
export interface SentRequest {
  /** In capitals. */
  method: string;
  /** The whole address. */
  url: string;
  headers: HeaderValues;
  /** '' where there was none. */
  body: string;
}

/** What curl says by itself: the address has the host, the body its length. */
const ownOfTheConnection = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'expect',
]);

/** Headers one by one: of several values each is a header of its own. */
export function headerLines(headers: HeaderValues): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [value].flat().map((one) => ({ name, value: String(one) })),
  );
}

/** A request as one line for a POSIX shell that makes it again, as it is: secrets are the caller's to take out. */
export function curlLine(request: SentRequest): string {
  const { url, headers, body } = request;
  const words = ['curl', ...methodWords(request), quoted(url)];
  // In an address, curl takes brackets and braces for ranges.
  if (/[[\]{}]/.test(url)) words.splice(1, 0, '--globoff');
  for (const { name, value } of headerLines(headers)) {
    // `name:` would make curl leave the header out; `name;` sends it empty.
    if (!ownOfTheConnection.has(name.toLowerCase())) words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body === '') return words.join(' ');
  // No word of a shell can hold a NUL.
  if (body.includes('\0')) return `printf %b ${quoted(escaped(body))} | ${words.join(' ')} --data-binary @-`;
  return [...words, '--data-raw', quoted(body)].join(' ');
}

function methodWords({ method, body }: SentRequest): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && body === '' ? [] : ['-X', quoted(method)];
}

/** In single quotes all is itself but the single quote, which stands outside them. */
function quoted(text: string): string {
  return /^[\w.:/=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000');
}
