import { HistoryCheck } from '../history/check.ts';
import type { Line } from '../history/line.ts';
import { askedIn, type Broken, isOrderedAsAWhole, isSound, type Ledger, nameOf, nameOfReceipt, numberOf } from './invariants.ts';
import { cachedMs, type Receipt } from './receivers.ts';

/** What happened in a run, for the checker of histories. Endpoints are named by their ids: their URLs change. */
export function historyOf(ledger: Ledger): Line[] {
  return [
    ...ledger.endpoints.map(({ id: endpoint, max_in_flight, ...rest }): Line => {
      const ordered = isOrderedAsAWhole(rest);
      return { kind: 'endpoint', endpoint, ordered, max_in_flight: ordered ? 1 : (max_in_flight ?? 20) };
    }),
    ...acknowledgedIn(ledger),
    ...receivedIn(ledger),
    ...recordedIn(ledger),
  ];
}

/** An event is owed to the endpoints that wanted it when it was fanned out. One that is not stored is owed to all. */
function acknowledgedIn({ acknowledged, events, endpointIds, servers }: Ledger): Line[] {
  const ids = new Map(events.map((event) => [numberOf(event), event.id]));
  return [...acknowledged].map(([number, at]): Line => {
    const event = ids.get(number) ?? `sale ${number}`;
    return { kind: 'acknowledged', event, at, endpoints: [...(servers.oracle.expected.get(event) ?? endpointIds)] };
  });
}

function receivedIn(ledger: Ledger): Line[] {
  const ids = askedIn(ledger);
  const asked = new Set(ledger.deliveries.filter(({ id }) => ids.has(id)).map(nameOf));
  return ledger.receivers.receipts.map((receipt): Line => {
    const { endpointId: endpoint, eventId: event, body: digest, beganMs: at, endedMs, isTaken } = receipt;
    const excuses = [
      ...(isSound(receipt) && !mayBeStale(receipt) ? [] : (['duplicated', 'over_limit'] as const)),
      ...(asked.has(nameOfReceipt(receipt)) ? (['reordered', 'over_limit'] as const) : []),
    ];
    return {
      kind: 'received',
      event,
      endpoint,
      at,
      ended: Math.min(endedMs, ledger.world.nowMs),
      digest,
      sequence: event,
      ...(isTaken && { status: 200 }),
      ...(excuses.length > 0 && { excuses }),
    };
  });
}

/** A process that was suspended may have read the delivery long before it sent it. */
const mayBeStale = ({ knownFromMs, beganMs }: Receipt) => knownFromMs < beganMs - cachedMs;

/** The ledger as it is in the end, with the time at which each delivery got its status. */
function recordedIn({ servers, deliveries }: Ledger): Line[] {
  const changes = servers.oracle.transitions.all.filter(({ before, after }) => before?.status !== after.status);
  const since = new Map(changes.map(({ after, atMs }) => [after.id, atMs]));
  return deliveries.map(({ id, event_id: event, endpoint_id: endpoint, status: state, reason }): Line => {
    return { kind: 'ledger', event, endpoint, state, at: since.get(id), ...(reason !== null && { reason }) };
  });
}

/** Returns what a checker that knows nothing of the gateway finds in a history. */
export function brokenRules(history: readonly Line[]): Broken[] {
  // A run in which every change was refused has nothing to check.
  if (!history.some(({ kind }) => kind === 'acknowledged')) return [];
  const check = new HistoryCheck(cachedMs);
  for (const [at, line] of history.entries()) check.add(line, at + 1);
  return check.result().findings.map(({ rule, event, endpoint, text }) => ({
    invariant: `the history has nothing that is ${rule}`,
    saw: `${event} at ${endpoint}: ${text}`,
  }));
}
