import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import type { Feature } from '../../base/features.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import { readVersion } from '../../base/own-files.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { ProcessRole } from '../../store/tables/operating.ts';

export interface PresenceParts {
  store: Store;
  clock: Clock;
  log: Logger;
  role: ProcessRole;
  /** Resolves to false if the master key was replaced while this process hung. Then `end` is called. */
  isMember(): Promise<boolean>;
  end(): void;
  /** Called when the store has taken the write that shows this process. */
  written?(): void;
}

const everyMs = 10_000;
/** A process that was not seen for so long has ended without saying so, hangs, or cannot reach the store. */
const silentMs = 30_000;
/** Until then the list shows which processes were killed. */
const forgottenMs = 24 * 3_600_000;

export const isRunning = ({ seen_at }: Row<'processes'>, now: number): boolean => seen_at > now - silentMs;

type Closing = Required<Pick<Feature, 'close'>>;

/** Lists this process in the store until it is closed. */
export function announceProcess({ store, clock, log, role, isMember, end, written }: PresenceParts): Closing {
  const id = newId('proc');
  const own = { id, version: readVersion(), role, host: hostname(), pid: process.pid, started_at: clock.now() };
  const failed = (error: unknown) => log.error({ err: error }, 'process.not_shown');
  let cancel = () => {};
  const show = async () => {
    const skewMs = clock.skewMs?.();
    const seen = { seen_at: clock.now(), clock_skew_seconds: skewMs === undefined ? null : skewMs / 1000 };
    try {
      const known = await store.update('processes', { id }, seen);
      if (known.length === 0) {
        await store.remove('processes', { seen_at: { lt: seen.seen_at - forgottenMs } });
        await store.append('processes', [{ ...own, ...seen }]);
      }
      written?.();
      if (!(await isMember())) {
        // It would encrypt with a key that the others do not have.
        log.fatal('process.master_key_replaced');
        end();
      }
    } catch (error) {
      failed(error);
    }
    cancel = clock.after(everyMs, () => {
      shown = show();
    });
  };
  let shown = show();
  return {
    async close() {
      cancel();
      await shown;
      // The round that has just ended has already planned the next one.
      cancel();
      await store.remove('processes', { id }).catch(failed);
    },
  };
}
