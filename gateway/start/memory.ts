import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { MemoryQueue } from '../queue/memory.ts';
import { MemoryStore } from '../store/memory/store.ts';
import type { Store } from '../store/port.ts';
import { lateSettings, type Settings } from './config.ts';
import type { Tier } from './tiers.ts';

/** The memory tier, for stubs, tests and the verification of pacts: nothing outlives the process. */
export const openMemory = (clock: Clock, log: Logger, store: Store = new MemoryStore()): Pick<Tier, 'store' | 'queue'> => ({
  store,
  queue: new MemoryQueue(clock, log),
});

/** Settings of a gateway on the memory tier: webhooks may go to this machine. */
export const memorySettings = (environment: Record<string, string> = {}): Settings =>
  lateSettings({ WEBHOOK_LOOPBACK: 'on', ...environment });
