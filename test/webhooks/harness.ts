import { randomBytes } from 'node:crypto';
import pino, { type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Clock, ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { DeliveryStatus } from '../../gateway/store/tables/webhooks.ts';
import { createEndpoint, type EndpointInput, type EndpointRules } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import type { RunChange } from '../../gateway/webhooks/outbox/change.ts';
import { defineEvent } from '../../gateway/webhooks/outbox/event.ts';
import { openWebhooks, type WebhookParts, type Webhooks } from '../../gateway/webhooks/webhooks.ts';
import { eventually } from '../eventually.ts';

const data = z.object({ number: z.number() });
export const sold = defineEvent({
  type: 'sale.completed',
  service: 'pos',
  summary: 'A sale',
  data,
  example: { number: 1 },
  gaps: [],
});
export const paid = defineEvent({
  type: 'payment.received',
  service: 'pos',
  summary: 'A payment',
  data,
  example: { number: 1 },
  gaps: [],
});
export const closed = defineEvent({
  type: 'plan.closed',
  service: 'cohesion',
  summary: 'A plan',
  data,
  example: { number: 1 },
  gaps: [],
});
export const rules: EndpointRules = { catalogue: [sold, paid, closed], allowLoopback: true };

export const startMs = Date.UTC(2026, 10, 21, 8, 53);
export const until = eventually;

export interface Harness {
  store: Store;
  queue: Queue;
  keys: Keyring;
  change: RunChange;
  webhooks: Webhooks;
  log: Logger;
  endpoint(input: Partial<EndpointInput> & { url: string }): Promise<{ id: string; secret: string }>;
  /** Emits `count` events of one type in one change. */
  emit(definition?: typeof sold, options?: { count?: number; subject?: string | null }): Promise<void>;
  deliveries(where?: Partial<Row<'deliveries'>>): Promise<Row<'deliveries'>[]>;
  attempts(): Promise<Row<'attempts'>[]>;
}

/** Starts webhooks, by default on the memory tier, without jitter. They are closed when the test ends. */
export function startHarness(
  options: { clock?: Clock; store?: Store; queue?: Queue; keys?: Keyring } & Pick<
    WebhookParts,
    'settings' | 'listener' | 'gate' | 'tallier' | 'work' | 'timers'
  > = {},
): Harness & { clock: ManualClock } {
  const clock = options.clock ?? new ManualClock(startMs);
  const log = pino({ level: 'silent' });
  const store = options.store ?? new MemoryStore();
  const queue = options.queue ?? new MemoryQueue(clock, log);
  const keys = options.keys ?? new Keyring(randomBytes(32));
  const settings = { allowLoopback: true, ...options.settings };
  const webhooks = openWebhooks({
    store,
    queue,
    clock,
    keys,
    log,
    random: () => 0.5,
    settings,
    gate: options.gate,
    tallier: options.tallier,
    timers: options.timers,
    work: options.work ?? true,
    ...(options.listener ? { listener: options.listener } : {}),
  });
  onTestFinished(() => webhooks.close());
  webhooks.start();
  const { change } = webhooks;
  return {
    clock: clock as ManualClock,
    store,
    queue,
    keys,
    change,
    webhooks,
    log,
    async endpoint(input) {
      const whole = { service: 'pos' as const, description: '', events: null, perimeter: null, active: true, ...input };
      const { endpoint, secret } = await change((one) => createEndpoint(one, whole, { ...rules, keys }));
      return { id: endpoint.id, secret };
    },
    emit: (definition = sold, { count = 1, subject = null } = {}) =>
      change(async ({ emit }) => {
        for (let number = 1; number <= count; number++) emit(definition, { subject, data: { number } });
      }),
    deliveries: (where = {}) => store.list('deliveries', { where, order: [['id', 'asc']] }),
    attempts: () => store.list('attempts', { order: [['id', 'asc']] }),
  };
}

/** Returns the number of missing deliveries. */
export const unaccounted = async (store: Store): Promise<number | null> => (await readLedger(store)).unaccounted;

/** Waits until `count` deliveries have this status, and returns them. */
export async function settled(
  harness: Pick<Harness, 'deliveries'>,
  count: number,
  status: DeliveryStatus,
): Promise<Row<'deliveries'>[]> {
  return until(async () => {
    const found = await harness.deliveries({ status });
    if (found.length === count) return found;
    // Only a few: this is built at each retry, and there may be thousands.
    const others = (await harness.deliveries()).filter((one) => one.status !== status).slice(0, 5);
    throw new Error(`${found.length} deliveries are ${status}, not ${count}; others are ${JSON.stringify(others)}`);
  });
}

/** Waits until there are `count` attempts, and returns the last one. */
export const attemptMade = (harness: Pick<Harness, 'attempts'>, count = 1): Promise<Row<'attempts'>> =>
  until(async () => {
    const attempts = await harness.attempts();
    if (attempts.length !== count) throw new Error(`There are ${attempts.length} attempts, not ${count}.`);
    return attempts.at(-1) as Row<'attempts'>;
  });
