import type { Exchange, Verification } from '../result.ts';

/** Headers that curl sends itself, or whose value would make it print compressed bytes. */
const ofCurl = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'user-agent']);

/** Quotes text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Words as a POSIX shell takes them. Those that need no quotes get none. */
export const shellWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : quoted(word))).join(' ');

/** What stands before the path: the provider's address, or a variable for that of a stub or a gateway. */
const originOf = (target: Verification['target']): string =>
  target.kind === 'reference' ? '"$BASE_URL"' : quoted(target.url.replace(/\/$/, ''));

/** Returns a curl command that repeats a request. Its secrets are removed, as everywhere in a report. */
export function curlOf({ method, path, query, headers, body }: NonNullable<Exchange['request']>, target: Verification['target']) {
  const lines = [
    `curl -i -X ${/^[A-Z]+$/.test(method) ? method : quoted(method)} ${originOf(target)}${quoted(query === '' ? path : `${path}?${query}`)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ofCurl.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}
