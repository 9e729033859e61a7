import { type DeliverySelector, deliverySelectors } from '../gateway/store/tables/webhooks.ts';
import { checkDeliveryFilter } from './delivery-filter.ts';
import type { DeliveryFilter, StubDelivery } from './webhook-types.ts';
import { deliveriesOf, type Gateway } from './webhooks.ts';

export interface WaitParts {
  gateway: Gateway;
  /** Calls the listener after each attempt. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

const fields = [...(Object.keys(deliverySelectors) as DeliverySelector[]), 'status', 'url'] as const;

/**
 * Resolves with the oldest delivery that has been attempted, or skipped, and matches. Rejects after `timeoutMs` (default 4000
 * ms) with the nearest deliveries, or with the reason of `signal`; at once if the filter names nothing that exists.
 */
export async function waitForDelivery(
  { gateway, subscribe }: WaitParts,
  filter: DeliveryFilter = {},
  { timeoutMs = 4000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<StubDelivery> {
  await checkDeliveryFilter(gateway, filter);
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([timeout, ...(signal ? [signal] : [])]);
  for (;;) {
    const attempted = Promise.withResolvers<void>();
    // Before the list is read: an attempt may end meanwhile.
    const unsubscribe = subscribe(attempted.resolve);
    ended.addEventListener('abort', () => attempted.resolve(), { once: true });
    try {
      const deliveries = await deliveriesOf(gateway);
      const found = deliveries.filter(isOver).find((delivery) => differencesOf(delivery, filter).length === 0);
      if (found) return found;
      signal?.throwIfAborted();
      if (timeout.aborted) throw timeOut(deliveries, filter, timeoutMs);
      await attempted.promise;
    } finally {
      unsubscribe();
    }
  }
}

const isOver = ({ attempts, status }: StubDelivery) => attempts > 0 || status !== 'pending';

function differencesOf(delivery: StubDelivery, filter: DeliveryFilter): string[] {
  const differing = fields.filter((name) => filter[name] !== undefined && delivery[name] !== filter[name]);
  const differences = differing.map((name) => `${name} is ${delivery[name]}, not ${filter[name]}`);
  if (differences.length === 0 && filter.where?.(delivery) === false) differences.push('`where` returned false');
  return differences;
}

function timeOut(deliveries: readonly StubDelivery[], filter: DeliveryFilter, timeoutMs: number): Error {
  const given = fields.filter((name) => filter[name] !== undefined).map((name) => `${name} ${filter[name]}`);
  const wanted = given.length === 0 ? 'any delivery' : `a delivery with ${given.join(', ')}`;
  const nearest = deliveries
    .map((delivery) => ({ delivery, differences: differencesOf(delivery, filter) }))
    .sort((one, other) => one.differences.length - other.differences.length)
    .slice(0, 3)
    .map(({ delivery: { event_type, url, id }, differences }) => {
      return `  ${event_type} to ${url} (${id}): ${differences.join('; ') || 'matches, but was not attempted yet'}`;
    });
  const received = nearest.length === 0 ? 'There are no deliveries.' : `Of ${deliveries.length} the nearest are:`;
  return new Error([`Waited ${timeoutMs} ms for ${wanted}. ${received}`, ...nearest].join('\n'));
}
