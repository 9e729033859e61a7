import type { SourceAddress } from '../base/source-addresses.ts';
import { cut } from '../base/words.ts';
import { blockedEndpoints } from '../figures/blocked.ts';
import { callersOf } from '../figures/callers.ts';
import { hostOf } from '../figures/cause.ts';
import type { LedgerDifferences } from '../figures/ledger.ts';
import { readBurn } from '../figures/objective.ts';
import { everyone } from '../figures/tally.ts';
import { tokenlessSince } from '../figures/tokenless.ts';
import type { Rows, Where } from '../store/port.ts';
import type { AlertCase, AlertDetail, AlertRuleName, AlertValues } from '../store/tables/alerts.ts';
import type { TallyKind } from '../store/tables/figures.ts';
import type { Row } from '../store/tables/index.ts';
import { isSkippedByHand, type Partner } from '../store/tables/webhooks.ts';
import { oneLine } from './texts.ts';

/** What this process knows without the store. */
export interface AlertSources {
  /** Throws if the queue does not answer. */
  depth(): Promise<unknown>;
  ledger(): LedgerDifferences;
  /** Free bytes on the disk with the data. Without it, the rule is not checked. */
  freeBytes?: (() => Promise<number>) | undefined;
  /** What the operator publishes of the addresses that webhooks come from. */
  sourceAddresses: readonly SourceAddress[];
}

/** A subject that a rule finds in trouble. */
export interface Finding {
  /** An endpoint's or caller's id, or `*`. */
  subject: string;
  /** What its message says, as a case and its values. */
  detail: AlertDetail;
  /** The console's page that shows the cause. */
  page: string;
  /** The partner whose endpoint it is; null if it is nobody's or the operator's. */
  about: Partner | null;
}

export interface MeasureInput {
  rows: Rows;
  sources: AlertSources;
  threshold: number;
  periodMs: number;
  now: number;
  /** The subjects of the rule's open alerts. */
  open: readonly string[];
}

/** Returns what is in trouble now; null if this process cannot tell. */
type Measure = (input: MeasureInput) => Promise<Finding[] | null>;

/** Rules that open once their findings have lasted for the period. The other rules look at the figures of the whole period. */
export const lasting: ReadonlySet<AlertRuleName> = new Set([
  'ledger_unbalanced',
  'disk_space',
  'queue_down',
  'store_down',
] satisfies AlertRuleName[]);

/**
 * Rules that check the subject of each open alert separately. The other rules only find the worst subjects, and may miss the
 * subject of an open alert.
 */
export const looksUpOpen: ReadonlySet<AlertRuleName> = new Set(['dead_letters'] satisfies AlertRuleName[]);

const minuteMs = 60_000;
const minAttempts = 3;
/** The subjects of one rule that are looked at, the worst first. */
export const maxSubjects = 500;
const megabyte = 1024 * 1024;

/** How each rule looks at the gateway. Tallies are read, never rows of calls or attempts. */
export const measures: Record<AlertRuleName, Measure> = {
  async endpoint_failing(input) {
    const { rows, threshold, open } = input;
    const failed = await totals(input, 'attempt', { name: { not: 'success' }, subject: { not: everyone } });
    const ofFailed = { subject: { in: [...failed.keys()] } };
    const attempts = await totals(input, 'attempt', ofFailed);
    // A test is sent to find out whether a receiver works. If it does not work yet, this is not an outage.
    const tests = await totals(input, 'failed_test', ofFailed);
    for (const [id, count] of tests) {
      failed.set(id, Math.max(0, (failed.get(id) ?? 0) - count));
      attempts.set(id, Math.max(0, (attempts.get(id) ?? 0) - count));
    }
    const rates = [...failed].map(([id, count]) => ({ id, count, of: attempts.get(id) ?? count }));
    const failing = rates.filter((one) => one.of >= minAttempts && (one.count * 100) / one.of >= threshold);
    const endpoints = await endpointsOf(rows, [...failing.map(({ id }) => id), ...open]);
    // While nothing succeeds, few attempts are made: fewer failures do not mean that it is over.
    const tokenless = await tokenlessSince(rows, [...endpoints.values()], input.now);
    const isFailing = (id: string) => endpoints.get(id)?.failing_since != null || tokenless.has(id);
    const still = open.filter((id) => isFailing(id) && !failing.some((one) => one.id === id));
    const all = [...failing, ...still.map((id) => ({ id, count: failed.get(id) ?? 0, of: attempts.get(id) ?? 0 }))];
    return all.flatMap((one) => {
      const endpoint = endpoints.get(one.id);
      if (!endpoint?.active) return [];
      return [aboutEndpoint(endpoint, 'endpoint_failing', { failed: one.count, attempts: one.of, minutes: minutesOf(input) })];
    });
  },

  async endpoint_held({ rows, periodMs, now }) {
    const troubled: Where<'endpoints'>[] = [
      { active: true, held_until: { not: null }, failing_since: { lte: now - periodMs } },
      { active: false, disabled_reason: { in: ['gone', 'failing'] } },
    ];
    const found = await Promise.all(
      troubled.map((where) => rows.list('endpoints', { where: { ...where, deleted_at: null }, limit: maxSubjects })),
    );
    return found.flat().map(heldEndpoint);
  },

  async dead_letters(input) {
    const failed = await totals(input, 'delivery', { name: 'failed', subject: { not: everyone } });
    const many = [...failed].filter(([, count]) => count >= input.threshold).map(([id]) => id);
    const blocked = await blockedEndpoints(input.rows);
    const candidates = [...new Set([...many, ...input.open, ...blocked.keys().take(maxSubjects)])];
    const isOwed = await Promise.all(candidates.map((id) => hasDeadLetter(input.rows, id)));
    const owed = candidates.filter((_id, at) => isOwed[at]);
    const endpoints = await endpointsOf(input.rows, owed);
    return owed.flatMap((id) => {
      const endpoint = endpoints.get(id);
      if (!endpoint) return [];
      const deliveries = failed.get(id) ?? 1;
      const found = aboutEndpoint(endpoint, 'dead_letters', { deliveries, minutes: minutesOf(input) });
      return [{ ...found, page: `/deliveries?endpoint_id=${id}&${blocked.has(id) ? 'blocking=true' : 'status=failed'}` }];
    });
  },

  async limit_refusals(input) {
    const refused = await totals(input, 'limit', { refused: { gt: 0 } }, 'refused');
    const many = [...refused].filter(([, count]) => count >= input.threshold);
    const callers = await callersOf(
      input.rows,
      many.map(([caller]) => caller),
    );
    return many.map(([caller, count]) => {
      const name = shortName(callers.get(caller)?.name ?? '');
      const values = { caller, name, calls: count, minutes: minutesOf(input) };
      return finding(caller, `/calls?caller=${encodeURIComponent(caller)}&status=429`, { case: 'limit_refusals', values });
    });
  },

  async ledger_unbalanced({ sources, threshold }) {
    const { missing, surplus } = sources.ledger();
    const missed = sum(missing);
    const extra = sum(surplus);
    // Not a number while the audit cannot read the store.
    if (Number.isNaN(missed + extra)) return null;
    const values = { missing: missed, surplus: extra };
    return missed + extra >= threshold ? [finding(everyone, '/', { case: 'ledger_unbalanced', values })] : [];
  },

  async calls_not_recorded(input) {
    const lost = (await totals(input, 'record', { subject: everyone, name: 'lost' })).get(everyone) ?? 0;
    const values = { calls: lost, minutes: minutesOf(input) };
    return lost >= input.threshold ? [finding(everyone, '/calls', { case: 'calls_not_recorded', values })] : [];
  },

  async disk_space({ sources, threshold }) {
    if (!sources.freeBytes) return null;
    const free = (await sources.freeBytes()) / megabyte;
    const values = { megabytes: Math.floor(free) };
    return free < threshold ? [finding(everyone, '/', { case: 'disk_space', values })] : [];
  },

  async queue_down(input) {
    const isUp = await input.sources.depth().then(
      () => true,
      () => false,
    );
    const others = [...(await proxyFindings(input)), ...(await lateFindings(input))];
    return isUp ? others : [...others, finding(everyone, '/', { case: 'queue_down', values: {} })];
  },

  // The store has just answered. The watcher notes when it does not.
  store_down: async () => [],
};

/**
 * Further subjects of the rule `queue_down`. They have no rules of their own, because the released API allows no new names of
 * rules.
 */
const proxySubject = 'proxy';
const lateSubject = 'delay';
const answered = ['success', 'status', 'redirect', 'gone'];

/**
 * The proxy fails if it failed requests and no receiver answered since. While no delivery is due, the proxy is not tried, and an
 * open alert stays open.
 */
async function proxyFindings({ rows, now, open }: MeasureInput): Promise<Finding[]> {
  const last = async (kind: TallyKind, where: Where<'tallies'>) => {
    const at = { gte: now - 10 * minuteMs };
    const [row] = await rows.list('tallies', {
      where: { kind, width: minuteMs, subject: everyone, at, ...where },
      order: [['at', 'desc']],
      limit: 1,
    });
    return row;
  };
  const [failed, works] = await Promise.all([last('proxy_failure', {}), last('attempt', { name: { in: answered } })]);
  const isFailing = failed ? works === undefined || works.at < failed.at : works === undefined && open.includes(proxySubject);
  const status = Number(failed?.name) || 0;
  return isFailing ? [finding(proxySubject, '/', { case: 'proxy_failing', values: { status } })] : [];
}

/** Finds out whether deliveries begin late because of the gateway itself. */
async function lateFindings({ rows, now }: MeasureInput): Promise<Finding[]> {
  const burn = await readBurn(rows, now);
  return burn ? [finding(lateSubject, '/', { case: 'deliveries_late', values: { ...burn } })] : [];
}

/** An alert of dead letters is over when nothing is owed any more, whatever failed in its period. */
async function hasDeadLetter(rows: Rows, endpoint_id: string): Promise<boolean> {
  const failed = { endpoint_id, status: 'failed', test: false } as const;
  if ((await rows.count('deliveries', { ...failed, recovered_at: null }, { atMost: 1 })) > 0) return true;
  const limit = 200;
  const others = await rows.list('deliveries', { where: failed, order: [['id', 'desc']], limit });
  return others.length === limit || !others.every(isSkippedByHand);
}

function finding(subject: string, page: string, detail: AlertDetail, about: Partner | null = null): Finding {
  return { subject, detail, page, about };
}

export const storeDown: Finding = finding(everyone, '/', { case: 'store_down', values: {} });

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((total, count) => total + count, 0);

/** Adds up tallies of the period by subject, the largest first. Reads whole minutes, the first of which may have begun before. */
async function totals(
  { rows, periodMs, now }: MeasureInput,
  kind: TallyKind,
  where: Where<'tallies'>,
  column: 'total' | 'refused' = 'total',
): Promise<Map<string, number>> {
  const from = Math.floor((now - periodMs) / minuteMs) * minuteMs;
  const found = await rows.summarize('tallies', {
    where: { kind, width: minuteMs, at: { gte: from }, ...where },
    by: ['subject'],
    sum: [column],
  });
  const sums = found.map((row): [string, number] => [row.subject, Number(row[column])]);
  return new Map(sums.sort(([, one], [, other]) => other - one).slice(0, maxSubjects));
}

async function endpointsOf(rows: Rows, ids: readonly string[]): Promise<Map<string, Row<'endpoints'>>> {
  if (ids.length === 0) return new Map();
  const found = await rows.list('endpoints', { where: { id: { in: [...new Set(ids)] }, deleted_at: null } });
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
}

/** The cases about an endpoint, with the values that are not the endpoint's. */
type EndpointCase = { [C in AlertCase]: AlertValues[C] extends AlertValues['endpoint_gone'] ? C : never }[AlertCase];
type OwnValues<C extends EndpointCase> = Omit<AlertValues[C], keyof AlertValues['endpoint_gone']>;

function aboutEndpoint<C extends EndpointCase>(endpoint: Row<'endpoints'>, name: C, values: OwnValues<C>): Finding {
  const { id, owner } = endpoint;
  // TypeScript does not see that each of these cases has the values of an endpoint and `OwnValues`.
  const detail = { case: name, values: { ...endpointValues(endpoint), ...values } } as unknown as AlertDetail;
  return finding(id, `/endpoints/${id}`, detail, owner === 'operator' ? null : owner);
}

/** Names an endpoint by its host alone: the rest of a URL may hold a secret. */
export const endpointValues = ({ id, url, description }: Row<'endpoints'>) => ({
  endpoint: id,
  host: hostOf(url),
  description: shortName(description),
});

function heldEndpoint(endpoint: Row<'endpoints'>): Finding {
  if (endpoint.active) return aboutEndpoint(endpoint, 'endpoint_held', { holds: endpoint.holds });
  return aboutEndpoint(endpoint, endpoint.disabled_reason === 'gone' ? 'endpoint_gone' : 'endpoint_disabled', {});
}

const minutesOf = ({ periodMs }: MeasureInput): number => periodMs / minuteMs;
export const shortName = (name: string): string => cut(oneLine(name), 80);
