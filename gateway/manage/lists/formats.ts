import { curlLine } from '../../http/record/curl.ts';
import { type Exchanged, harText } from '../../http/record/har.ts';
import { type Column, csvText } from './csv.ts';

/** How a list is exported: the media type, the end of the file's name, and the text in chunks, one per block of rows. */
export interface Format<R> {
  type: string;
  ending: string;
  text(blocks: AsyncIterable<readonly R[]>, origin: Origin): AsyncIterable<string>;
}

/** The gateway's address in the export's own call. A recorded call has its client's Host header, but no scheme. */
export interface Origin {
  protocol: string;
  host: string;
}

/** A row's request with its reply. */
export type Exchange<R> = (row: R, origin: Origin) => Exchanged;

export const asCsv = <R>(columns: readonly Column<R>[]): Format<R> => ({
  type: 'text/csv; charset=utf-8; header=present',
  ending: 'csv',
  text: (blocks) => csvText(columns, blocks),
});

export const asJson = <R>(): Format<R> => ({ type: 'application/json; charset=utf-8', ending: 'json', text: jsonText });

/** A JSON object on each line. `view` is the row as the API shows it. */
export const asJsonLines = <R>(view: (row: R) => object): Format<R> => ({
  type: 'application/jsonl; charset=utf-8',
  ending: 'jsonl',
  text: (blocks) => jsonLines(blocks, view),
});

export const asHar = <R>(exchange: Exchange<R>): Format<R> => ({
  type: 'application/json; charset=utf-8',
  ending: 'har',
  text: (blocks, origin) => harText(exchanges(blocks, exchange, origin)),
});

/** Commands to copy. It is no script, because running it would repeat every change. */
export const asCurl = <R>(exchange: Exchange<R>): Format<R> => ({
  type: 'text/plain; charset=utf-8',
  ending: 'curl.txt',
  text: (blocks, origin) => curlText(exchanges(blocks, exchange, origin)),
});

async function* jsonText<R>(blocks: AsyncIterable<readonly R[]>): AsyncGenerator<string> {
  let begun = false;
  for await (const rows of blocks) {
    if (rows.length > 0) yield (begun ? ',\n' : '[\n') + rows.map((row) => JSON.stringify(row)).join(',\n');
    begun ||= rows.length > 0;
  }
  yield begun ? '\n]\n' : '[]\n';
}

async function* jsonLines<R>(blocks: AsyncIterable<readonly R[]>, view: (row: R) => object): AsyncGenerator<string> {
  for await (const rows of blocks) {
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(view(row))}\n`).join('');
  }
}

async function* exchanges<R>(
  blocks: AsyncIterable<readonly R[]>,
  exchange: Exchange<R>,
  origin: Origin,
): AsyncGenerator<Exchanged[]> {
  for await (const rows of blocks) yield rows.map((row) => exchange(row, origin));
}

/** A command for each request, under a comment with its time, id and result. */
async function* curlText(blocks: AsyncIterable<readonly Exchanged[]>): AsyncGenerator<string> {
  yield '# Each command repeats a recorded request. Secrets are replaced by [redacted].\n';
  for await (const requests of blocks) {
    if (requests.length > 0) yield requests.map(commandOf).join('');
  }
}

/** A comment ends at the end of its line, so it must not contain line breaks. */
const commandOf = (request: Exchanged) =>
  `\n# ${`${request.at} ${request.status} ${request.comment}`.replace(/[\r\n]/g, ' ')}\n${curlLine(request)}\n`;
