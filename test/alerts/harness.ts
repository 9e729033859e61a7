import { inventoryLow } from '../../gateway/api/pos/events.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import { eventually } from '../eventually.ts';
import { buildTestApp, type TestGateway } from '../helper.ts';
import { LeapingClock } from '../leaping-clock.ts';
import { type Received, receiver } from '../webhooks/receiver.ts';
import { type Mail, mailServer } from './mail-server.ts';

export const startMs = Date.UTC(2026, 10, 22, 16, 10);

/** What a test breaks and repairs. */
export interface Broken {
  store: boolean;
  queue: boolean;
  freeBytes: number;
}

/** A store that does not answer while it is broken. */
function breakable(store: Store, broken: Broken): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || name === 'close') return method;
      return (...args: unknown[]) =>
        broken.store ? Promise.reject(new StoreUnavailable('broken by the test')) : method.apply(target, args);
    },
  });
}

export const brokenQueue = (queue: Queue, broken: Broken): Queue =>
  new Proxy(queue, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (name === 'depth' && broken.queue) return () => Promise.reject(new Error('broken by the test'));
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });

export interface Alerted extends TestGateway {
  clock: LeapingClock;
  broken: Broken;
  mails: Mail[];
  /** What the receiver of the incoming webhook got. */
  posts: Received[];
  channels: { email: string; slack: string };
  rounds: Rounds['rounds'];
}

/** Moves a clock from round to round of one gateway. While it stands still, no round runs, so nothing is read in between. */
export interface Rounds {
  alerts: NonNullable<AlertedOptions['alerts']>;
  /** Lets whole rounds go by until the check passes: 10 s of the clock before each, or as given. */
  rounds<R>(check: () => R | Promise<R>, stepMs?: number): Promise<R>;
  /** Resolves when this many rounds have ended since the start. */
  ended(count: number): Promise<void>;
}

const everyMs = 10_000;

export function roundsOn(clock: LeapingClock): Rounds {
  let count = 0;
  const waiting = new Set<() => void>();
  const ended = async (least: number) => {
    while (count < least) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const roundEnded = () => {
    count++;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    alerts: { roundEnded },
    ended,
    rounds: (check, stepMs = everyMs) =>
      eventually(async () => {
        const before = count;
        // One round, however long the step is.
        clock.leap(stepMs - everyMs);
        await clock.advance(everyMs);
        await ended(before + 1);
        return check();
      }),
  };
}

export type AlertedOptions = Omit<NonNullable<Parameters<typeof buildTestApp>[0]>, 'clock'> & { clock?: LeapingClock };

/** A gateway that sends its alerts to a real mail server and to a real HTTP receiver. */
export async function alertedGateway(options: AlertedOptions = {}): Promise<Alerted> {
  const broken: Broken = { store: false, queue: false, freeBytes: 2 ** 40 };
  const clock = options.clock ?? new LeapingClock(startMs);
  const store = breakable(options.store ?? new MemoryStore(), broken);
  const [mail, chat] = await Promise.all([mailServer(), receiver()]);
  const { alerts, rounds, ended } = roundsOn(clock);
  const gateway = await buildTestApp({
    clock,
    demo: false,
    freeBytes: async () => broken.freeBytes,
    wrapQueue: (queue) => brokenQueue(queue, broken),
    ...options,
    alerts: { ...alerts, ...options.alerts },
    settings: { WEBHOOK_RETRY_SECONDS: '0', PUBLIC_URL: 'https://gateway.example.org', ...options.settings },
    store,
  });
  await ended(1);
  const email = await gateway.manage('POST', '/alerts/channels', emailChannel(mail.port));
  const slack = await gateway.manage('POST', '/alerts/channels', {
    kind: 'slack',
    name: 'Chat',
    credential: chat.url,
  });
  return {
    ...gateway,
    clock,
    broken,
    mails: mail.mails,
    posts: chat.received,
    channels: { email: email.body.data.id, slack: slack.body.data.id },
    rounds,
  };
}

export const emailChannel = (port: number, more: object = {}) => ({
  kind: 'email',
  name: 'On call',
  host: '127.0.0.1',
  port,
  security: 'none',
  from: 'gateway@example.org',
  to: ['awa@example.org', 'kofi@example.org'],
  ...more,
});

/** Emits events that every endpoint of pos gets. */
export async function emit({ services, settled }: TestGateway, events: number): Promise<void> {
  await services.change(async (change) => {
    for (let number = 0; number < events; number++) change.emit(inventoryLow, { subject: null, data: inventoryLow.example });
  });
  await settled();
}
