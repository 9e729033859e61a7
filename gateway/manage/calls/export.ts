import { toInstant } from '../../http/fields.ts';
import type { Exchanged } from '../../http/record/har.ts';
import type { Rows } from '../../store/port.ts';
import type { Found } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { type CallFilter, listCalls } from './queries.ts';

export const maxExported = 1000;
const blockCalls = 100;
/** Bounds the work: each search reads a limited number of calls, of which none may match. */
const maxSearches = 20;

/** Blocks of the newest matching calls. The first block is read at once: if the store is down, the call is refused. */
export async function callsToExport(rows: Rows, filter: CallFilter): Promise<AsyncIterable<Row<'calls'>[]>> {
  const first = await listCalls(rows, { ...filter, limit: blockCalls });
  return blocksFrom(rows, filter, first);
}

async function* blocksFrom(rows: Rows, filter: CallFilter, first: Found<'calls'>): AsyncGenerator<Row<'calls'>[]> {
  let { data, next } = first;
  yield data;
  let left = maxExported - data.length;
  for (let searches = 1; searches < maxSearches && left > 0 && next !== null; searches++) {
    ({ data, next } = await listCalls(rows, { ...filter, cursor: next, limit: Math.min(blockCalls, left) }));
    yield data;
    left -= data.length;
  }
}

/** The gateway's address in the export's own call. A recorded call has its client's Host header, but no scheme. */
interface Origin {
  protocol: string;
  host: string;
}

/** The calls as entries of an HTTP Archive. */
export async function* exchangesOf(blocks: AsyncIterable<Row<'calls'>[]>, origin: Origin): AsyncGenerator<Exchanged[]> {
  for await (const calls of blocks) yield calls.map((call) => exchangeOf(call, origin));
}

function exchangeOf(call: Row<'calls'>, { protocol, host }: Origin): Exchanged {
  const { method, path, status, request_headers, response_headers } = call;
  return {
    at: toInstant(call.at),
    durationMs: call.duration_ms,
    method,
    url: `${protocol}://${request_headers.host ?? host}${path}`,
    headers: request_headers,
    body: call.request_body ?? '',
    status,
    responseHeaders: response_headers,
    responseBody: call.response_body ?? '',
    comment: [call.id, call.operation, call.error_code].filter(Boolean).join(': '),
  };
}
