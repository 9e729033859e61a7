import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** All values of each header, by its lower-case name. */
export type HeaderLines = Record<string, string[]>;

const named = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*(.*)$/s;
const algorithm = /^(hmac-)?(sha\d*|md5)$/i;

/**
 * Parses `Name: value`. If the line is only a value, its form decides whether it belongs to `webhook-signature` or to
 * `serviceName`.
 */
export function headerOf(line: string, serviceName: string): [name: string, value: string] {
  const [, name, value] = named.exec(line.trim()) ?? [];
  if (name !== undefined && value !== undefined && !algorithm.test(name)) return [name.toLowerCase(), value];
  return [/^v\d+a?,/.test(line.trim()) ? 'webhook-signature' : serviceName.toLowerCase(), line];
}

/** Parses headers: one per line, with or without a request line before them, or a JSON object. Throws `CouldNotRun`. */
export function readHeaders(text: string): HeaderLines {
  // Trimming also removes a byte order mark.
  const trimmed = text.trimStart();
  return trimmed.startsWith('{') ? fromJson(trimmed) : fromLines(trimmed);
}

function fromLines(text: string): HeaderLines {
  const headers: HeaderLines = Object.create(null);
  for (const line of text.trim().split(/\r?\n/)) {
    if (line.trim() === '') break;
    // `curl -v` prefixes the lines with > or <.
    const [, name, value] = named.exec(line.replace(/^[<>] ?/, '')) ?? [];
    if (name === undefined || value === undefined) continue;
    headers[name.toLowerCase()] = [...(headers[name.toLowerCase()] ?? []), value.trimEnd()];
  }
  if (Object.keys(headers).length === 0)
    throw new CouldNotRun('The file of --headers has no header: it needs lines such as `webhook-id: evt_1`, or a JSON object.');
  return headers;
}

function fromJson(text: string): HeaderLines {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const pairs = Object.entries(parsed).map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)] as const);
    return Object.fromEntries(pairs);
  } catch (error) {
    throw new CouldNotRun(`The file of --headers is not valid JSON: ${(error as Error).message}.`);
  }
}
