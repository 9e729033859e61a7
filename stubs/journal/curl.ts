import type { RecordedCall } from './call.ts';
import { addressOf, headerLines, shown } from './shown.ts';

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

/** A call as one line for a POSIX shell that makes it again; tokens and secrets only where `secrets` asks for them. */
export function curlOf(call: RecordedCall, options: { secrets?: boolean } = {}): string {
  const sent = shown(call, options);
  const words = ['curl', ...methodWords(sent), quoted(addressOf(sent))];
  // In an address, curl takes brackets and braces for ranges.
  if (/[[\]{}]/.test(sent.url)) words.splice(1, 0, '--globoff');
  for (const { name, value } of headerLines(sent.requestHeaders)) {
    // `name:` would make curl leave the header out; `name;` sends it empty.
    if (!ownOfTheConnection.has(name)) words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (sent.requestBody === '') return words.join(' ');
  // No word of a shell can hold a NUL.
  if (sent.requestBody.includes('\0'))
    return `printf %b ${quoted(escaped(sent.requestBody))} | ${words.join(' ')} --data-binary @-`;
  return [...words, '--data-raw', quoted(sent.requestBody)].join(' ');
}

function methodWords({ method, requestBody }: RecordedCall): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && requestBody === '' ? [] : ['-X', quoted(method)];
}

/** In single quotes all is itself but the single quote, which stands outside them. */
function quoted(text: string): string {
  return /^[\w.:/=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000');
}
