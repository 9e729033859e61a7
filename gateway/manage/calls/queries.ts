import { encodings } from '../../base/text.ts';
import { statusesOf } from '../../http/record/filters.ts';
import type { Rows, Where } from '../../store/port.ts';
import {
  type Counted,
  countFound,
  type Found,
  groupFound,
  idsIn,
  type KeyRange,
  noneCounted,
  nothingFound,
  type Period,
  type Search,
  search,
} from '../../store/search.ts';

export interface CallFilter extends Period {
  id?: string | undefined;
  api?: string | undefined;
  operation?: string | undefined;
  caller?: string | undefined;
  callers?: readonly string[] | undefined;
  /** Only this caller's calls. They are found by the caller's index, so the search reads no calls of others. */
  only?: string | undefined;
  ip?: string | undefined;
  method?: string | undefined;
  error_code?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  status?: string | undefined;
  /** Only calls that a limit refused. */
  limited?: boolean | undefined;
  /** Text in the path or in a body, or the Idempotency-Key. */
  q?: string | undefined;
}

interface PageInput {
  /** `next` of the previous page. */
  cursor?: string | undefined;
  limit: number;
  /** The reach of a search, for tests (`store/search.ts`). */
  reach?: readonly number[];
}

/** Recorded calls that match the filter, newest first. */
export async function listCalls(rows: Rows, filter: CallFilter & PageInput): Promise<Found<'calls'>> {
  const wanted = callSearch(filter);
  return wanted === undefined ? nothingFound : search(rows, wanted);
}

/** How many calls match the filter, within bounds. */
export async function countCalls(rows: Rows, filter: CallFilter): Promise<Counted<'calls'>> {
  const wanted = callSearch({ ...filter, limit: 1 });
  return wanted === undefined ? noneCounted : countFound(rows, wanted);
}

/** How many calls match the filter, by operation and status, within bounds. */
export async function countCallsByKind(rows: Rows, filter: CallFilter) {
  const wanted = callSearch({ ...filter, limit: 1 });
  return wanted === undefined ? { groups: [], more: false, stopped: null } : groupFound(rows, wanted, ['operation', 'status']);
}

/** Undefined if no call can match. */
function callSearch(filter: CallFilter & PageInput): Search<'calls'> | undefined {
  const { q, limit, reach, only } = filter;
  const { api, operation, ip, method, error_code } = filter;
  const status = statusCondition(filter);
  const caller = callerCondition(filter);
  if (status === 'none' || caller === 'none') return undefined;
  const where: Where<'calls'> = {
    api,
    operation,
    caller: only ?? caller,
    ip,
    method,
    error_code,
    status,
  };
  return {
    table: 'calls',
    key: 'id',
    where,
    range: rangeOf(filter),
    indexed: only === undefined ? indexedParts(where) : [{ caller: only }],
    ...(q ? { anyOf: withText(q) } : {}),
    limit,
    reach,
  };
}

/** The condition on the caller; `none` if no call can match. One caller has an index, several have none. */
function callerCondition({ caller, callers }: CallFilter): Where<'calls'>['caller'] | 'none' {
  if (callers === undefined) return caller;
  const wanted = caller === undefined ? callers : callers.filter((one) => one === caller);
  if (wanted.length === 0) return 'none';
  return wanted.length === 1 ? wanted[0] : { in: wanted };
}

function rangeOf(filter: CallFilter & PageInput): KeyRange {
  const range = idsIn('call', filter);
  const { id } = filter;
  if (id === undefined) return range;
  return { ...range, gte: range.gte !== undefined && range.gte > id ? range.gte : id, lte: id };
}

const texts = ['path', 'request_body', 'response_body'] as const;

function withText(q: string): Where<'calls'>[] {
  const found = texts.flatMap((column) => encodings(q).map((text) => ({ [column]: { contains: text } })));
  return [...found, { request_headers: { contains: `"idempotency-key":${JSON.stringify(q)}` } } as Where<'calls'>];
}

/** The condition on the status; `none` if no call can match. A limit's refusal is exactly the status 429. */
function statusCondition({ status, limited }: CallFilter): Where<'calls'>['status'] | 'none' {
  if (limited) return status === undefined || status === '429' || status === '4xx' ? 429 : 'none';
  if (status === undefined) return undefined;
  const { from, below } = statusesOf(status);
  return below === from + 1 ? from : { gte: from, lt: below };
}

/**
 * The conditions that an index in `store/tables` can answer, alone or as a part of a wider one. Those that probably match few
 * calls come first.
 */
function indexedParts({ operation, caller, error_code, status }: Where<'calls'>): Where<'calls'>[] {
  const errors = errorsAround(status);
  const isBroken = typeof errors === 'object' && errors !== null && 'gte' in errors && errors.gte === 500;
  const parts: Where<'calls'>[] = [{ error_code }, { caller: typeof caller === 'string' ? caller : undefined }, { operation }];
  parts.splice(isBroken ? 1 : 2, 0, { status: errors });
  return parts.filter((part) => Object.values(part)[0] !== undefined);
}

/** The statuses with an index, 400 and above or 500 and above, that include a status or a class of errors. */
function errorsAround(status: Where<'calls'>['status']): Where<'calls'>['status'] {
  const isClass = typeof status === 'object' && status !== null && 'gte' in status;
  const from = isClass ? status.gte : status;
  if (typeof from !== 'number' || from < 400) return undefined;
  if (from < 500) return { gte: 400 };
  return isClass ? status : { gte: 500 };
}
