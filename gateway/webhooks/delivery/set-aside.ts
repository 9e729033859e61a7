import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/port.ts';
import type { AttemptHooks } from '../model/attempt-hooks.ts';
import { seenOf } from '../model/jobs.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Parked, Skipped } from './admit.ts';
import type { Lanes } from './lanes.ts';
import { batched, type Stage } from './stage.ts';

export interface SetAsideParts {
  store: Store;
  clock: Clock;
  listener: DeliveryListener;
  lanes: Lanes;
  hooks?: AttemptHooks | undefined;
}

/** The stage that puts a delivery into its endpoint's lane, where it waits without a job. One that was changed meanwhile has another job. */
export const parkStage = ({ store, lanes }: SetAsideParts): Stage<Parked> =>
  batched('park', async (parked) => {
    const deliveries = new Map(parked.map(({ candidate: { delivery } }) => [delivery.id, delivery]));
    const moves = [...deliveries.values()].map((delivery) => ({
      id: delivery.id,
      seen: { ...seenOf(delivery), parked: false },
      next: { parked: true },
    }));
    await store.advance('deliveries', moves);
    lanes.grown(parked.map(({ candidate }) => candidate.delivery));
    return undefined;
  });

/** The stage that ends a delivery which cannot be sent. */
export const skipStage = ({ store, clock, listener, lanes, hooks }: SetAsideParts): Stage<Skipped> =>
  batched('skip', async (skipped) => {
    for (const [reason, group] of Map.groupBy(skipped, (one) => one.reason)) {
      const where = { id: { in: group.map(({ delivery }) => delivery.id) }, status: 'pending' };
      const count = await store.transaction((tx) => skipDeliveries(tx, where, { reason, now: clock.now() }));
      if (count > 0) listener.ended('skipped', count);
      for (const { delivery } of group) hooks?.skipped?.(delivery);
    }
    lanes.check([...new Set(skipped.map(({ delivery }) => delivery.endpoint_id))]);
    return undefined;
  });
