import { toInstant } from '../../http/fields.ts';
import type { Exchanged } from '../../http/record/har.ts';
import type { Rows } from '../../store/port.ts';
import type { Found } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { type CallFilter, listCalls } from './queries.ts';

export const exportedAtMost = 1000;
const block = 100;
/** Searches of one export: each looks at a bounded number of calls, and a text may be in none of them. */
const searchesAtMost = 20;

/** Blocks of the newest calls that fit. The first is read at once, so that a store that is away refuses the call. */
export async function callsToExport(rows: Rows, filter: CallFilter): Promise<AsyncIterable<Row<'calls'>[]>> {
  const first = await listCalls(rows, { ...filter, limit: block });
  return blocksFrom(rows, filter, first);
}

async function* blocksFrom(rows: Rows, filter: CallFilter, first: Found<'calls'>): AsyncGenerator<Row<'calls'>[]> {
  let { data, next } = first;
  yield data;
  let left = exportedAtMost - data.length;
  for (let searches = 1; searches < searchesAtMost && left > 0 && next !== null; searches++) {
    ({ data, next } = await listCalls(rows, { ...filter, cursor: next, limit: Math.min(block, left) }));
    yield data;
    left -= data.length;
  }
}

/** Where the gateway was called now: a record has the host that its client named, and no scheme. */
interface Origin {
  protocol: string;
  host: string;
}

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
