import type { Clock } from './base/clock.ts';
import { type Gateway, type GatewayParts, startGateway } from './gateway.ts';
import { MemoryQueue } from './queue/memory.ts';
import { readSettings, type Settings } from './start/config.ts';
import { MemoryStore } from './store/memory/store.ts';

export type MemoryParts = Omit<GatewayParts, 'settings' | 'store' | 'queue'> & {
  clock: Clock;
  store?: MemoryStore;
  settings?: Settings;
};

/** Starts the parts of a gateway; tests hand in one that is not as documented. */
export type Start = (parts: GatewayParts) => Promise<Gateway>;

/** Settings of a gateway that is nobody's but its test's: webhooks may go to this machine. */
export const memorySettings = (environment: Record<string, string> = {}): Settings =>
  readSettings({ WEBHOOK_LOOPBACK: 'on', ...environment });

/** A gateway on the memory tier, ready for calls: for stubs and for the verification of pacts. */
export async function startOnMemory(parts: MemoryParts, start: Start = startGateway): Promise<Gateway> {
  const { store = new MemoryStore(), settings = memorySettings(), clock, log } = parts;
  const gateway = await start({ ...parts, settings, store, queue: new MemoryQueue(clock, log) });
  await gateway.app.ready();
  return gateway;
}
