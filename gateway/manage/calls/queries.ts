import type { Rows, Where } from '../../store/port.ts';
import { type Found, idsIn, type KeyRange, type Period, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';

type Call = Row<'calls'>;

export interface CallFilter extends Period {
  /** One call. */
  id?: string | undefined;
  api?: string | undefined;
  operation?: string | undefined;
  caller?: string | undefined;
  ip?: string | undefined;
  method?: string | undefined;
  error_code?: string | undefined;
  /** `404`, or `4xx` for all of a class. */
  status?: string | undefined;
  /** Only those that a limit refused. */
  limited?: boolean | undefined;
  /** Text in the path or in a body. */
  q?: string | undefined;
}

interface PageInput {
  /** Where the page before ended. */
  cursor?: string | undefined;
  limit: number;
  /** For tests: see `search.ts`. */
  reach?: readonly number[];
}

/** Newest first. */
export async function listCalls(rows: Rows, filter: CallFilter & PageInput): Promise<Found<'calls'>> {
  const { q, limit, reach } = filter;
  const { api, operation, caller, ip, method, error_code } = filter;
  const status = statusCondition(filter);
  if (status === 'none') return { data: [], next: null, stopped: null };
  const where: Where<'calls'> = { api, operation, caller, ip, method, error_code, status };
  return search(rows, {
    table: 'calls',
    key: 'id',
    where,
    range: rangeOf(filter),
    indexed: indexedParts(where),
    ...(q ? { keep: async (calls: Call[]) => calls.filter((call) => holds(call, q)) } : {}),
    limit,
    reach,
  });
}

function rangeOf(filter: CallFilter & PageInput): KeyRange {
  const range = idsIn('call', filter);
  const { id } = filter;
  if (id === undefined) return range;
  return { ...range, gte: range.gte !== undefined && range.gte > id ? range.gte : id, lte: id };
}

const holds = ({ path, request_body, response_body }: Call, q: string) =>
  [path, request_body, response_body].some((text) => text?.includes(q));

/** A limit's refusal is the status 429, and there is no other of it; together with another status, no call fits. */
function statusCondition({ status, limited }: CallFilter): Where<'calls'>['status'] | 'none' {
  if (limited) return status === undefined || status === '429' || status === '4xx' ? 429 : 'none';
  if (status === undefined) return undefined;
  if (!status.endsWith('xx')) return Number(status);
  const first = Number(status[0]) * 100;
  return { gte: first, lt: first + 100 };
}

/** As `tables.ts` has them; of the classes of status, those of errors. An operation is of one API, so its index leads to both. */
function indexedParts({ api, operation, caller, ip, error_code, status }: Where<'calls'>): Where<'calls'>[] {
  const parts: Where<'calls'>[] = [operation === undefined ? { api } : { operation }, { caller }, { ip }, { error_code }];
  if (typeof status === 'number' || isErrors(status)) parts.push({ status });
  return parts.filter((part) => Object.values(part)[0] !== undefined);
}

const isErrors = (status: Where<'calls'>['status']) =>
  typeof status === 'object' && status !== null && 'gte' in status && (status.gte ?? 0) >= 400;
