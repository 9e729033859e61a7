import type { Behaviour } from '../../../spec/documents/behaviours.ts';
import { callsPerMinute } from '../../../spec/documents/plans.ts';
import { isRecord } from '../../../spec/json.ts';

/** What a call of an operation shows. */
export interface ShownCall {
  status: number;
  query: URLSearchParams;
  request: unknown;
  /** Names of parameters and fields, in the form of `fieldsIn`. */
  sent: readonly string[];
  taken: readonly string[];
  reply: unknown;
  /** The code of the refusal. */
  refusal: string | undefined;
  /** The calls that the limit allows, as the reply's header says. */
  limit: number;
  hasToken: boolean;
  /** True if a fault answered it, or changed its answer. */
  isFaulty: boolean;
}

type Judge = (call: ShownCall) => boolean;

const never: Judge = () => false;
const isRefused =
  (code: string): Judge =>
  ({ refusal }) =>
    refusal === code;
const isOverLimit =
  (calls: number): Judge =>
  ({ status, limit }) =>
    status === 429 && limit === calls;
const hasSent =
  (name: string): Judge =>
  ({ status, sent }) =>
    status < 400 && sent.includes(name);
const hasReplied =
  (field: string): Judge =>
  ({ status, reply }) =>
    status < 400 && valuesAt(reply, field.split('.')).length > 0;

/** True as soon as all calls together have had enough different values. */
function haveHad(valuesOf: (call: ShownCall) => unknown[], isEnough: (had: ReadonlySet<unknown>) => boolean): Judge {
  const had = new Set<unknown>();
  return (call) => {
    if (call.status < 400) for (const value of valuesOf(call)) had.add(value);
    return isEnough(had);
  };
}

/** The behaviours that need more than the status, parameter or field of their words. `never`: calls alone do not show them. */
const judges = (): Readonly<Record<string, Judge>> => ({
  'pos/payment-three-operators': haveHad(
    ({ request }) => valuesAt(request, ['provider']),
    ({ size }) => size >= 3,
  ),
  'pos/report-of-store': hasSent('store_id'),
  'pos/limit-minute': isOverLimit(callsPerMinute.free),
  'pos/limit-free': isOverLimit(callsPerMinute.free),
  'pos/limit-pro': isOverLimit(callsPerMinute.pro),
  'pos/limit-enterprise': never,
  'cohesion/utf-8': never,
  'cohesion/no-caching': never,
  'cohesion/last-use': hasReplied('data.token.last_used_at'),
  'cohesion/last-address': never,
  'cohesion/active-indicators': never,
  'cohesion/no-drafts': never,
  'cohesion/intervention-statuses': haveHad(
    ({ reply }) => valuesAt(reply, ['data', '*', 'statut']),
    (had) => ['en_cours', 'termine', 'approuve'].every((one) => had.has(one)),
  ),
  'cohesion/active-structures': never,
  'cohesion/validation': never,
  'cohesion/status-given': hasSent('statut'),
  'cohesion/paginated': hasReplied('meta.page'),
  'cohesion/indicators-kpi-1': ({ status, query }) => status < 400 && query.get('kpi') === '1',
  'cohesion/stats-current-year': ({ status, query }) => status < 400 && !query.has('annee'),
  'cohesion/create-financing': hasReplied('data.devise'),
  'cohesion/perimeter-create': isRefused('outside_perimeter'),
  'cohesion/perimeter-target': never,
  'cohesion/perimeter-sent': never,
  'cohesion/token-missing': ({ status, hasToken }) => status === 401 && !hasToken,
  'cohesion/token-invalid': ({ status, hasToken }) => status === 401 && hasToken,
  'cohesion/ability-missing': isRefused('ability_missing'),
  'cohesion/user-inactive': isRefused('user_inactive'),
  'cohesion/per-page': never,
  'cohesion/write-throttle-dedicated': never,
});

/**
 * Returns what judges the calls of a suite. A call shows a behaviour of its operation if it got the status that the document
 * names, sent the parameter or field, or got the field. If the document names none of these, the call must have succeeded. A
 * fault shows only a status.
 */
export function openJudge(): (behaviour: Behaviour, call: ShownCall) => boolean {
  const own = judges();
  return ({ id, says, status: stated, field }, call) => {
    const [row] = /^[2-5]\d\d(?= \|)/.exec(says) ?? [];
    if (row !== undefined || call.isFaulty) return String(call.status) === row;
    const judge = own[id] ?? (isOfAbility(says) ? isRefused('ability_missing') : field && hasReplied(field));
    if (judge) return judge(call);
    const wanted = stated ?? Number(/\b[2-5]\d\d\b/.exec(says)?.[0]);
    if (wanted) return call.status === wanted;
    const [named = ''] = /^\w+/.exec(says) ?? [];
    const isNamed = (name: string) => name.split('.').at(-1) === named;
    return call.status < 400 && (!call.taken.some(isNamed) || call.sent.some(isNamed));
  };
}

/** True for the row of an operation that needs an ability, such as `/api/v1/stats | read:stats`. */
const isOfAbility = (says: string): boolean => /\| \w+:\w+$/.test(says);

/** What there is at a place such as `data.*.code`. */
function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return value === null || value === undefined ? [] : [value];
  if (first === '*') return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  return isRecord(value) ? valuesAt(value[first], rest) : [];
}
