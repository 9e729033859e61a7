import type { Row } from '../../gateway/store/tables/index.ts';
import { defaultRetrySeconds } from '../../gateway/webhooks/delivery/retry.ts';
import type { Checks, Ledger } from './invariants.ts';
import { cachedMs } from './receivers.ts';

/** Two clocks differ by at most this. */
const mostSkewMs = 60_000;

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
