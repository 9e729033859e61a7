import { forgetIdempotencyKeys } from './api/pos/idempotency.ts';
import type { Clock } from './clock.ts';
import { firstIdAt } from './ids.ts';
import type { Logger } from './log.ts';
import type { Store } from './store/port.ts';

const everyMs = 60_000;
const batchRows = 1000;

/** Removes what is kept for a time only, in small batches, so that no call waits long behind it. Returns what stops it. */
export function startRetention(options: { store: Store; clock: Clock; log: Logger; callHours: number }): () => Promise<void> {
  const { store, clock, log, callHours } = options;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      await removeAll(() =>
        store.remove('calls', { id: { lt: firstIdAt('call', clock.now() - callHours * 3_600_000) } }, { limit: batchRows }),
      );
      await forgetIdempotencyKeys(store, clock.now());
    } catch (error) {
      log.error({ err: error }, 'retention.failed');
    }
    cancel = clock.after(everyMs, run);
  };
  const run = () => {
    running = sweep();
  };
  cancel = clock.after(everyMs, run);
  return async () => {
    cancel();
    await running;
    cancel();
  };
}

async function removeAll(removeBatch: () => Promise<number>): Promise<void> {
  while ((await removeBatch()) === batchRows);
}
