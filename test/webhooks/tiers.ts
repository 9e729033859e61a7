import { describe, onTestFinished } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import { readSettings, type ScaleSettings } from '../../gateway/start/config.ts';
import { openEmbedded, openScale, type Tier } from '../../gateway/start/tiers.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { emptyDatabase } from '../pglite.ts';
import { type Environment, installation, onScale } from '../scale/services.ts';

const log = openLog('silent');

async function memoryTier(): Promise<Tier> {
  const store = new MemoryStore();
  return {
    store,
    queue: new MemoryQueue(systemClock, log),
    gate: new MemoryGate(systemClock, 60_000),
    clock: systemClock,
    close: () => store.close(),
  };
}

const embeddedTier = (): Promise<Tier> => openEmbedded(emptyDatabase(), readSettings({ WEBHOOK_DEADLINE_MS: '60000' }), log);

/** Opens the connections of one more process of an installation. */
export async function scaleProcess(shared: Environment): Promise<Tier> {
  const tier = await openScale(readSettings({ ...shared, WEBHOOK_DEADLINE_MS: '60000' }) as ScaleSettings, log);
  onTestFinished(() => tier.close());
  return tier;
}

const opened = (open: () => Promise<Tier>) => async () => {
  const tier = await open();
  onTestFinished(() => tier.close());
  return tier;
};

/** Runs the tests on each tier. Each test opens its own store and queue, on the system clock. */
export function onEveryTier(story: string, tests: (open: () => Promise<Tier>) => void): void {
  describe(`${story} (memory)`, () => tests(opened(memoryTier)));
  describe(`${story} (embedded)`, () => tests(opened(embeddedTier)));
  onScale(story, () => tests(async () => scaleProcess(await installation())));
}
