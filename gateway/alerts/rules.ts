import { cut } from '../base/words.ts';
import { blockedEndpoints } from '../figures/blocked.ts';
import { hostOf } from '../figures/cause.ts';
import type { LedgerDifferences } from '../figures/ledger.ts';
import { everyone } from '../figures/tally.ts';
import type { Rows, Where } from '../store/port.ts';
import type { AlertDetail, AlertRuleName, AlertSeverity, AlertValues } from '../store/tables/alerts.ts';
import type { TallyKind } from '../store/tables/figures.ts';
import type { Row } from '../store/tables/index.ts';
import { isSkippedByHand, type Partner } from '../store/tables/webhooks.ts';
import { oneLine } from './texts.ts';

/** What this process knows without the store. */
export interface AlertSources {
  /** Throws if the queue does not answer. */
  depth(): Promise<unknown>;
  ledger(): Pick<LedgerDifferences, 'missing'>;
  /** Free bytes on the disk with the data. Without it, the disk is not checked. */
  freeBytes?: (() => Promise<number>) | undefined;
}

/** A subject that a rule finds in trouble. */
export interface Finding {
  /** An endpoint's id, or a part of the gateway. */
  subject: string;
  /** What its message says, as a case and its values. */
  detail: AlertDetail;
  /** The console's page that shows the cause. */
  page: string;
  /** The partner whose endpoint it is; null if it is nobody's or the operator's. */
  about: Partner | null;
}

interface Input {
  rows: Rows;
  sources: AlertSources;
  now: number;
  /** The subjects of the rule's open alerts. */
  open: readonly string[];
}

interface AlertRule {
  severity: AlertSeverity;
  /** When it opens and when it is over, for the guide. */
  opens: string;
  resolves: string;
  /** Returns what is in trouble now; null if this process cannot tell. Reads tallies, never rows of calls or attempts. */
  find(input: Input): Promise<Finding[] | null>;
}

const minuteMs = 60_000;
const megabyte = 1024 * 1024;
const leastFreeMegabytes = 1024;
const recordsMinutes = 10;
/** How long a condition must hold before its alert opens. */
export const lastsMs = minuteMs;
/** The endpoints that one rule finds. If there are more, none of its alerts ends meanwhile. */
export const maxSubjects = 5000;
/** The endpoints whose deliveries are looked at one by one, those with the most dead letters first. */
const maxLookedUp = 500;

/** The six conditions. Nobody can change them. */
export const alertRules: Record<AlertRuleName, AlertRule> = {
  endpoint_failing: {
    severity: 'warning',
    opens: 'The circuit of an endpoint is open.',
    resolves: 'It receives again; or it is activated, paused, disabled or deleted.',
    async find({ rows }) {
      const failing = await listed(rows, { active: true, held_until: { not: null } });
      return failing.map((endpoint) => aboutEndpoint(endpoint, { case: 'endpoint_failing', values: valuesOf(endpoint) }));
    },
  },

  endpoint_disabled: {
    severity: 'warning',
    opens: 'The gateway disabled an endpoint (410 Gone, days of failures), or an operator disabled one of a partner.',
    resolves: 'It is active again, or deleted.',
    async find({ rows }) {
      const byGateway = { active: false, disabled_reason: { in: ['gone', 'failing'] } } as const;
      const byOperator = { active: false, disabled_reason: 'operator', owner: { not: 'operator' } } as const;
      const disabled = await listed(rows, byGateway, byOperator);
      return disabled.map((endpoint) => {
        const because = endpoint.disabled_reason as AlertValues['endpoint_disabled']['because'];
        return aboutEndpoint(endpoint, { case: 'endpoint_disabled', values: { ...valuesOf(endpoint), because } });
      });
    },
  },

  dead_letters: {
    severity: 'warning',
    opens: 'A delivery to an endpoint failed for good within the last hour, or one that failed for good blocks those behind it.',
    resolves:
      'The endpoint has no dead letter left: all were sent again, skipped by hand, or deleted by retention; or it is deleted.',
    async find({ rows, now, open }) {
      const failed = await totals(rows, now - 60 * minuteMs, 'delivery', { name: 'failed', subject: { not: everyone } });
      const blocked = await blockedEndpoints(rows);
      const candidates = [...new Set([...failed.keys(), ...open, ...blocked.keys().take(maxLookedUp)])];
      const isOwed = await Promise.all(candidates.map((id) => hasDeadLetter(rows, id)));
      const owed = await listed(rows, { id: { in: candidates.filter((_id, at) => isOwed[at]) } });
      return owed.map((endpoint) => {
        const { id } = endpoint;
        const values = { ...valuesOf(endpoint), deliveries: failed.get(id) ?? 1 };
        const page = `/deliveries?endpoint_id=${id}&${blocked.has(id) ? 'blocking=true' : 'status=failed'}`;
        return { ...aboutEndpoint(endpoint, { case: 'dead_letters', values }), page };
      });
    },
  },

  queue_down: {
    severity: 'critical',
    opens: 'The queue does not answer: deliveries wait in the store.',
    resolves: 'It answers.',
    find: async ({ sources }) =>
      sources.depth().then(
        () => [],
        () => [aboutGateway(everyone, { case: 'queue_down', values: {} })],
      ),
  },

  records_lost: {
    severity: 'critical',
    opens: `Calls were served but not recorded within the last ${recordsMinutes} min, or the ledger misses events, deliveries or attempts.`,
    resolves: 'Neither is so any more.',
    async find({ rows, sources, now }) {
      const lost = await totals(rows, now - recordsMinutes * minuteMs, 'record', { subject: everyone, name: 'lost' });
      const values = {
        calls: lost.get(everyone) ?? 0,
        rows: Object.values(sources.ledger().missing).reduce((total, count) => total + count, 0),
      };
      // Not a number while the audit cannot read the store.
      if (Number.isNaN(values.rows)) return null;
      if (values.calls + values.rows === 0) return [];
      const page = values.calls > 0 ? '/calls' : '/';
      return [{ ...aboutGateway(everyone, { case: 'records_lost', values }), page }];
    },
  },

  storage: {
    severity: 'critical',
    opens: `The store does not answer, or refuses writes: calls get 503. Or less than ${leastFreeMegabytes} MB are free on the disk of DATA_DIR (embedded tier only).`,
    resolves: 'The store accepts writes; as much is free again.',
    // The store has just answered. The watcher notes when it does not.
    async find({ sources }) {
      const free = sources.freeBytes && (await sources.freeBytes()) / megabyte;
      if (free === undefined || free >= leastFreeMegabytes) return [];
      return [aboutGateway('disk', { case: 'disk_space', values: { megabytes: Math.floor(free) } })];
    },
  },
};

const aboutGateway = (subject: string, detail: AlertDetail): Finding => ({ subject, detail, page: '/', about: null });

export const storeDown = aboutGateway('store', { case: 'store_down', values: {} });

function aboutEndpoint({ id, owner }: Row<'endpoints'>, detail: AlertDetail): Finding {
  return { subject: id, detail, page: `/endpoints/${id}`, about: owner === 'operator' ? null : owner };
}

/** Names an endpoint by its host alone: the rest of a URL may hold a secret. */
const valuesOf = ({ id, url, description }: Row<'endpoints'>) => ({
  endpoint: id,
  host: hostOf(url),
  description: cut(oneLine(description), 80),
});

/** The endpoints that one of the conditions finds, each once. */
async function listed(rows: Rows, ...conditions: readonly Where<'endpoints'>[]): Promise<Row<'endpoints'>[]> {
  const found = await Promise.all(
    conditions.map((where) => rows.list('endpoints', { where: { ...where, deleted_at: null }, limit: maxSubjects })),
  );
  return [...new Map(found.flat().map((endpoint) => [endpoint.id, endpoint])).values()];
}

/** It is over when nothing is owed any more, whatever failed in its period. */
async function hasDeadLetter(rows: Rows, endpoint_id: string): Promise<boolean> {
  const failed = { endpoint_id, status: 'failed', test: false } as const;
  if ((await rows.count('deliveries', { ...failed, skipped_at: null }, { atMost: 1 })) > 0) return true;
  const limit = 200;
  const others = await rows.list('deliveries', { where: failed, order: [['id', 'desc']], limit });
  return others.length === limit || !others.every(isSkippedByHand);
}

/** Adds up tallies by subject, the largest first. Reads whole minutes, the first of which may have begun before. */
async function totals(rows: Rows, since: number, kind: TallyKind, where: Where<'tallies'>): Promise<Map<string, number>> {
  const at = { gte: Math.floor(since / minuteMs) * minuteMs };
  const found = await rows.summarize('tallies', {
    where: { kind, width: minuteMs, at, ...where },
    by: ['subject'],
    sum: ['total'],
  });
  const sums = found.map((row): [string, number] => [row.subject, Number(row.total)]);
  return new Map(sums.sort(([, one], [, other]) => other - one).slice(0, maxLookedUp));
}
