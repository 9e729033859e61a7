import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/port.ts';
import type { DeliveryListener } from '../model/listener.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Candidate, Skipped } from './admit.ts';
import type { Lanes } from './lanes.ts';
import { batched, type Stage } from './stage.ts';

export interface SetAsideParts {
  store: Store;
  clock: Clock;
  listener: DeliveryListener;
  lanes: Lanes;
}

/** The stage that puts a delivery into its endpoint's lane, where it waits without a job. */
export const parkStage = ({ store, lanes }: SetAsideParts): Stage<Candidate> =>
  batched('park', async (candidates) => {
    const ids = candidates.map(({ delivery }) => delivery.id);
    await store.update('deliveries', { id: { in: ids }, status: 'pending', parked: false }, { parked: true });
    lanes.grown([...new Set(candidates.map(({ endpoint }) => endpoint.id))]);
    return undefined;
  });

/** The stage that ends a delivery which cannot be sent. */
export const skipStage = ({ store, clock, listener, lanes }: SetAsideParts): Stage<Skipped> =>
  batched('skip', async (skipped) => {
    for (const [reason, group] of Map.groupBy(skipped, (one) => one.reason)) {
      const where = { id: { in: group.map(({ delivery }) => delivery.id) }, status: 'pending' };
      const count = await store.transaction((tx) => skipDeliveries(tx, where, { reason, now: clock.now() }));
      if (count > 0) listener.ended('skipped', count);
    }
    lanes.check([...new Set(skipped.map(({ delivery }) => delivery.endpoint_id))]);
    return undefined;
  });
