import { firstIdAt } from '../gateway/base/ids.ts';
import type { Store } from '../gateway/store/port.ts';
import type { Row } from '../gateway/store/tables/index.ts';
import { rowOf } from '../test/store/rows.ts';

const batch = 1000;
export const startMs = Date.UTC(2026, 0, 1);

export const idOf = (prefix: string, number: number, beginMs = startMs) =>
  `${firstIdAt(prefix, beginMs + number * 100)}${String(number).padStart(20, '0')}`;

/**
 * 1 in 100 deliveries fails, 1 in 1,000 of these with a rare status; each endpoint gets 1 in 10,000. Some conditions match
 * nothing together: sale.completed never fails, and the rare status occurs only in the first tenth.
 */
function rowsOf(number: number, total: number, beginMs: number): { event: Row<'events'>; delivery: Row<'deliveries'> } {
  const at = beginMs + number * 100;
  const failed = number % 100 === 7;
  const rare = failed && number < total / 10 && number % 1000 === 7;
  const type = failed || number % 2 === 0 ? 'payment.received' : 'sale.completed';
  const event = rowOf('events', {
    id: idOf('evt', number, beginMs),
    service: 'pos',
    type,
    body: JSON.stringify({ event: type, data: { number, customer: `customer ${number % 5000}`, filler: 'x'.repeat(200) } }),
    created_at: at,
    fanned_out_at: at,
    matched: number === 5 ? 0 : 1,
    position: 0,
  });
  const delivery = rowOf('deliveries', {
    id: idOf('dlv', number, beginMs),
    event_id: event.id,
    endpoint_id: `ep_${(number * 7919) % 10_000}`,
    event_type: type,
    status: failed ? 'failed' : 'delivered',
    attempts: 1,
    reason: failed ? (rare ? 'tls' : 'status') : null,
    response_status: failed ? (rare ? 418 : 500) : number === 11 ? 204 : 200,
    parked: false,
    test: false,
    created_at: at,
    updated_at: at,
  });
  return { event, delivery };
}

const attemptOf = ({ id, endpoint_id, response_status, created_at }: Row<'deliveries'>): Row<'attempts'> =>
  rowOf('attempts', {
    id: id.replace('dlv', 'att'),
    delivery_id: id,
    endpoint_id,
    number: 1,
    outcome: response_status !== null && response_status < 300 ? 'success' : 'status',
    url: 'https://receiver.example.org/hook',
    address: '203.0.113.7',
    request_headers: { 'content-type': 'application/json', 'webhook-id': id, 'user-agent': 'Passerelle' },
    response_status,
    response_headers: { server: 'example', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    response_body: '',
    response_truncated: false,
    timings: { dns: 0.1, connect: 0.4, firstByte: 1.2, total: 1.9 },
    secret_ids: ['sec_1'],
    manual: false,
    asked_again: false,
    started_at: created_at,
    ended_at: created_at,
  });

interface Filling {
  /** Stores attempts for this many of the newest deliveries. */
  attempts?: number;
  /** When the first delivery was created, in milliseconds since 1970. */
  beginMs?: number;
}

/** Stores finished deliveries, ten per second, each with its own event. */
export async function fillLedger(store: Store, total: number, { attempts = 0, beginMs = startMs }: Filling = {}): Promise<void> {
  for (let from = 0; from < total; from += batch) {
    const rows = Array.from({ length: Math.min(batch, total - from) }, (_, index) => rowsOf(from + index, total, beginMs));
    const attempted = rows.slice(Math.max(0, Math.min(rows.length, total - attempts - from)));
    await store.append(
      'events',
      rows.map(({ event }) => event),
    );
    await store.append(
      'deliveries',
      rows.map(({ delivery }) => delivery),
    );
    await store.append(
      'attempts',
      attempted.map(({ delivery }) => attemptOf(delivery)),
    );
  }
}
