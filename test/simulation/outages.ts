import type { Row } from '../../gateway/store/tables/index.ts';
import { defaultRetrySeconds } from '../../gateway/webhooks/delivery/retry.ts';
import type { Checks, Ledger } from './invariants.ts';
import { cachedMs } from './receivers.ts';

interface Outage {
  endpointId: string;
  fromMs: number;
  /** When an attempt succeeded again. */
  toMs: number;
}

/** The outages that a success ended. What follows one that somebody or a 410 interrupted is no business of the gateway's. */
function outagesIn({ servers, endpoints, notices }: Ledger): Outage[] {
  return endpoints.flatMap(({ id }) => {
    const versions = servers.oracle.versions.get(id) ?? [];
    const recovered = notices.filter(({ endpoint_id, kind }) => endpoint_id === id && kind === 'endpoint.recovered');
    let fromMs: number | null = null;
    return versions.flatMap(({ row }, at) => {
      if (row.held_until !== null) fromMs ??= row.failing_since;
      if (row.held_until !== null || fromMs === null) return [];
      const outage = { endpointId: id, fromMs, toMs: row.updated_at };
      fromMs = null;
      const isEnded = recovered.some(({ created_at }) => created_at >= outage.fromMs && created_at <= outage.toMs);
      return isEnded && versions.slice(at).every((later) => later.row.active) ? [outage] : [];
    });
  });
}

const wasDisabledForFailing = ({ servers }: Ledger, { endpoint_id, updated_at }: Row<'deliveries'>): boolean =>
  servers.oracle.versionsIn(endpoint_id, updated_at - 60_000, updated_at).some((one) => one.disabled_reason === 'failing');

/** The dead letters that a recovery would send, and none has. */
function deadLetters(ledger: Ledger): Row<'deliveries'>[] {
  // Its owner may not see the event any more.
  const hidden = new Set(ledger.items.filter(({ result }) => result === 'not_visible').map((one) => one.delivery_id));
  const isWanted = (one: Row<'deliveries'>) => one.reason !== 'gone' && !one.test && !hidden.has(one.id);
  return ledger.deliveries.filter((one) => one.status === 'failed' && one.recovered_at === null && isWanted(one));
}

const heldEndpoints = ({ endpoints }: Ledger) => new Set(endpoints.filter((one) => one.held_until !== null).map(({ id }) => id));

/** Two clocks differ by at most this. */
const mostSkewMs = 60_000;

/** Attempts that ended so close to each other may be recorded in another order. */
const closeMs = 120_000;

export const outageInvariants = {
  'what died while nothing succeeded is sent again by itself after the first success': (ledger) => {
    const { servers, attempts, world } = ledger;
    const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
    const succeeded = Map.groupBy(
      attempts.filter(({ outcome }) => outcome === 'success'),
      ({ endpoint_id }) => endpoint_id,
    );
    const held = heldEndpoints(ledger);
    return deadLetters(ledger).flatMap(({ id, endpoint_id }) => {
      const own = (byDelivery.get(id) ?? []).toSorted((one, other) => one.number - other.number);
      const [first, last] = [own[0], own.at(-1)];
      if (!first || last?.next_attempt_case?.case !== 'last' || held.has(endpoint_id)) return [];
      const [fromMs, toMs] = [first.ended_at - closeMs, last.ended_at + closeMs];
      const during = servers.oracle.versionsIn(endpoint_id, first.ended_at + closeMs, last.ended_at);
      // Somebody may have begun anew.
      if (during.some(({ failing_since }) => failing_since === null)) return [];
      if (!servers.oracle.versionsIn(endpoint_id, fromMs, world.nowMs).every(({ active }) => active)) return [];
      const successes = succeeded.get(endpoint_id) ?? [];
      const isAway = !successes.some(({ ended_at }) => ended_at > fromMs && ended_at < toMs);
      const isBack = successes.some(({ ended_at }) => ended_at > toMs);
      return isAway && isBack ? [`${id} died while ${endpoint_id} was away, and stays dead`] : [];
    });
  },

  'what died in an outage is sent again by itself': (ledger) => {
    const dead = deadLetters(ledger);
    const away = heldEndpoints(ledger);
    const outages = outagesIn(ledger).filter(({ endpointId }) => !away.has(endpointId));
    // Which of two outages a dead letter at their edges died in, only the clocks say.
    const edgeMs = ledger.world.counts.has('clocks differ') ? mostSkewMs : 0;
    return outages.flatMap(({ endpointId, fromMs, toMs }) =>
      dead
        .filter((one) => one.endpoint_id === endpointId && one.updated_at >= fromMs + edgeMs && one.updated_at < toMs - edgeMs)
        .map(({ id }) => `${id} died in the outage of ${endpointId} and stays dead`),
    );
  },

  'nothing is sent again by itself twice, or for another reason than an outage': (ledger) => {
    const taken = ledger.servers.oracle.transitions.all.filter(
      // A skipped delivery is marked too, so that no recovery takes it.
      ({ before, after }) =>
        before !== undefined && after.status !== 'failed' && (before.recovered_at ?? null) !== (after.recovered_at ?? null),
    );
    return taken.flatMap(({ before, after }) => {
      if (!before) return [];
      if (before.recovered_at !== null) return [`${after.id} was taken twice`];
      const isOutages = before.status === 'failed' ? before.reason !== 'gone' : wasDisabledForFailing(ledger, before);
      if (isOutages) ledger.world.count(before.status === 'failed' ? 'dead letter recovered' : 'skip recovered');
      // Where the clocks of processes differ, a pause may seem to lie in an outage.
      if (before.status === 'skipped' && ledger.world.counts.has('clocks differ')) return [];
      return isOutages ? [] : [`${after.id} was taken, and was ${before.status} (${before.reason})`];
    });
  },

  'a delivery is in one recovery of an outage': ({ recoveries, items }) => {
    const ids = new Set(recoveries.filter(({ filter }) => filter.outage_since !== undefined).map(({ id }) => id));
    const own = items.filter(({ recovery_id, result }) => ids.has(recovery_id) && sentResults.has(result));
    return [...Map.groupBy(own, ({ delivery_id }) => delivery_id)].flatMap(([id, all]) =>
      all.length > 1 ? [`${id} is in ${all.length} of them`] : [],
    );
  },
} satisfies Checks;

/** When an endpoint was held, by the commits. */
interface Hold {
  fromMs: number;
  toMs: number;
}

/** The holds that a success ended at an endpoint that was active and not ordered. */
function holdsOf({ servers }: Ledger, endpointId: string): Hold[] {
  const versions = servers.oracle.versions.get(endpointId) ?? [];
  let begun: Hold | undefined;
  return versions.flatMap(({ row, fromMs }) => {
    if (!row.active || row.ordered) begun = undefined;
    else if (row.held_until !== null) begun ??= { fromMs, toMs: fromMs };
    if (row.held_until !== null || !begun) return [];
    const hold = { fromMs: begun.fromMs, toMs: fromMs };
    begun = undefined;
    return [hold];
  });
}

/** One that was sent early before waits for its own retry: otherwise a receiver that works at times would use up its attempts. */
function isAhead({ attempts, created_at, updated_at }: Row<'deliveries'>): boolean {
  const seconds = defaultRetrySeconds.slice(0, attempts).reduce((sum, one) => sum + one, 0);
  return updated_at - created_at < seconds * 900;
}

/** The failures that open a hold are at most this old. */
const windowMs = 30_000;

/** What failed while its endpoint was held waits for the end of the hold, and not for its own retry, which may be a day later. */
export const holdInvariants = {
  'what failed at a held endpoint is attempted soon after the end of the hold': (ledger) => {
    const { attempts, deliveries, endpoints, servers, world } = ledger;
    const isWell = (one: Row<'endpoints'>) => one.active && one.held_until === null && !one.ordered;
    const well = new Set(endpoints.filter(isWell).map(({ id }) => id));
    const last = new Map(attempts.toSorted((one, other) => one.number - other.number).map((one) => [one.delivery_id, one]));
    // A process may have read the endpoint a moment before, and may not know of the hold.
    const edgeMs = world.counts.has('clocks differ') || world.counts.has('clock far off') ? mostSkewMs : cachedMs;
    return deliveries.flatMap((delivery) => {
      const { id, endpoint_id, status, parked, next_attempt_at } = delivery;
      const failed = last.get(id);
      if (status !== 'pending' || !failed || !well.has(endpoint_id) || isAhead(delivery)) return [];
      // The lane has released it a moment ago, by a clock that may be ahead.
      if (!parked && next_attempt_at !== failed.next_attempt_at) return [];
      const [fromMs, toMs] = [failed.started_at - edgeMs, failed.ended_at + edgeMs];
      if (!servers.oracle.versionsIn(endpoint_id, fromMs, toMs).every((one) => one.held_until !== null && !one.ordered))
        return [];
      return [`${id} failed while ${endpoint_id} was held, and waits until ${next_attempt_at}`];
    });
  },

  'what failed as a hold opened is attempted soon after the end of the hold': (ledger) => {
    const { attempts, deliveries, endpoints, servers, world } = ledger;
    if (world.counts.has('clocks differ') || world.counts.has('clock far off')) return [];
    const well = new Set(endpoints.filter((one) => one.active && one.held_until === null && !one.ordered).map(({ id }) => id));
    const last = new Map(attempts.toSorted((one, other) => one.number - other.number).map((one) => [one.delivery_id, one]));
    const recorded = new Map<string, number>();
    for (const { atMs, before, after } of servers.oracle.transitions.all)
      if (after.attempts > (before?.attempts ?? 0)) recorded.set(after.id, atMs);
    return deliveries.flatMap((delivery) => {
      const { id, endpoint_id, status, next_attempt_at, updated_at } = delivery;
      const failed = last.get(id);
      const recordedMs = recorded.get(id) ?? 0;
      if (status !== 'pending' || !failed || !well.has(endpoint_id) || isAhead(delivery)) return [];
      // Somebody asked for another attempt, or the lane has released it.
      if (updated_at !== failed.ended_at || next_attempt_at !== failed.next_attempt_at) return [];
      const isOfHold = ({ fromMs, toMs }: Hold) =>
        failed.ended_at > fromMs - windowMs && recordedMs < Math.min(fromMs + windowMs, toMs);
      if (!holdsOf(ledger, endpoint_id).some(isOfHold)) return [];
      return [`${id} failed as ${endpoint_id} was held, and waits until ${next_attempt_at}`];
    });
  },

  'the end of a hold sends nothing early that is ahead of its schedule': ({ servers, world }) => {
    if (world.counts.has('clock far off')) return [];
    return servers.oracle.transitions.all.flatMap(({ atMs, before, after }) => {
      // An attempt beside it leaves its place in the lane as it is.
      const joins = after.parked && !(before?.parked && before.next_attempt_at === after.next_attempt_at);
      const waitsMs = (after.next_attempt_at ?? 0) - atMs;
      if (!joins || after.attempts === 0 || waitsMs <= mostSkewMs || !isAhead(after)) return [];
      return [`${after.id} waits in the lane after ${after.attempts} attempts, and its retry is due in ${waitsMs} ms`];
    });
  },
} satisfies Checks;

const sentResults: ReadonlySet<string> = new Set(['queued', 'delivered', 'failed']);
