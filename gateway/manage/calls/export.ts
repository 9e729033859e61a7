import { toInstant } from '../../http/fields.ts';
import type { Exchanged } from '../../http/record/har.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Column } from '../lists/csv.ts';
import { asCsv, asCurl, asHar, asJsonLines, type Origin } from '../lists/formats.ts';

export type NamedCall = Row<'calls'> & { caller_name: string | null };

const columns: readonly Column<NamedCall>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => toInstant(at)],
  ['api', ({ api }) => api],
  ['operation', ({ operation }) => operation],
  ['method', ({ method }) => method],
  ['path', ({ path }) => path],
  ['status', ({ status }) => status],
  ['error_code', ({ error_code }) => error_code],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['caller', ({ caller }) => caller],
  ['caller_name', ({ caller_name }) => caller_name],
  ['ip', ({ ip }) => ip],
  ['limit', ({ limit_state }) => limit_state?.name],
  ['limit_max', ({ limit_state }) => limit_state?.limit],
  ['limit_remaining', ({ limit_state }) => limit_state?.remaining],
];

export const callFormats = {
  csv: asCsv(columns),
  jsonl: asJsonLines(viewCall),
  curl: asCurl(exchangeOf),
  har: asHar(exchangeOf),
};

/** A call as the API shows it. */
export function viewCall(call: NamedCall) {
  return { ...call, at: toInstant(call.at) };
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
