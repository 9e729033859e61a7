import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ManualClock, systemTimers } from '../../gateway/base/clock.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import type { Gate } from '../../gateway/queue/gate/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { resendDelivery } from '../../gateway/webhooks/operator/manual.ts';
import { createRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import { settled, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

/** A door that work waits at while it is closed. */
function door() {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  let waiting = 0;
  return {
    close: () => {
      opened = Promise.withResolvers<void>();
    },
    open: () => opened.resolve(),
    waiting: () => waiting,
    async pass(): Promise<void> {
      waiting += 1;
      await opened.promise;
      waiting -= 1;
    },
  };
}

/** Calls `before` and waits for it before each call of the method. */
function delayed<T extends object>(target: T, method: keyof T, before: (...args: never[]) => Promise<void>): T {
  return new Proxy(target, {
    get(from, name) {
      const value = Reflect.get(from, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(from);
      return async (...args: never[]) => {
        await before(...args);
        return value.apply(from, args);
      };
    },
  });
}

/** A first attempt that is in flight. `record` delays its record, and `enter` delays later entries to the gate. */
async function firstAttempt() {
  const [record, enter] = [door(), door()];
  const clock = new ManualClock(startMs);
  const isRecord = (...[table, , attempts]: unknown[]) => table === 'deliveries' && attempts !== undefined;
  const store = delayed(new MemoryStore(), 'advance', async (...args) => (isRecord(...args) ? record.pass() : undefined));
  const gate: Gate = delayed<Gate>(new MemoryGate(clock, 20_000), 'enter', () => enter.pass());
  let elapsedMs = 0;
  const timers = { ...systemTimers, elapsed: () => elapsedMs };
  const harness = startHarness({ clock, store, gate, timers });
  const open: ServerResponse[] = [];
  const to = await receiver((response) => void open.push(response));
  await harness.endpoint({ url: to.url });
  await harness.emit();
  await until(() => expect(open).toHaveLength(1));
  const [delivery] = await harness.deliveries();
  const id = delivery?.id as string;
  const resend = async () => {
    // Later than the first attempt's job: the queue skips a job that it has already.
    await clock.advance(1);
    await harness.change((change) => resendDelivery(change, id));
  };
  const answer = () => open.shift()?.end();
  /** The resend's attempt is answered, and is the last one. */
  const endsWithTwo = async () => {
    await until(() => expect(open).toHaveLength(1));
    answer();
    await settled(harness, 1, 'delivered');
    expect(await harness.attempts()).toMatchObject([{ manual: false }, { manual: true }]);
    expect(to.received).toHaveLength(2);
  };
  const passTime = (ms: number) => {
    elapsedMs += ms;
  };
  return { ...harness, timers, passTime, gate, record, enter, open, resend, answer, endsWithTwo };
}

test('a resend between the end of an attempt and its record waits for the record', async () => {
  const { record, resend, answer, open, deliveries, endsWithTwo } = await firstAttempt();
  record.close();
  answer();
  await until(() => expect(record.waiting()).toBe(1));
  await resend();
  // Its job is put off, because the lease of the first attempt lasts until the record.
  await until(async () => expect([open.length, (await deliveries())[0]?.next_attempt_at]).not.toEqual([0, startMs + 1]));
  expect(open).toEqual([]);
  record.open();
  await endsWithTwo();
});

test('a job of a resend that was read before the record, and enters the gate after it, makes no third attempt', async () => {
  const { enter, resend, answer, attempts, endsWithTwo } = await firstAttempt();
  enter.close();
  await resend();
  await until(() => expect(enter.waiting()).toBe(1));
  answer();
  await until(async () => expect(await attempts()).toHaveLength(1));
  enter.open();
  await endsWithTwo();
});

test.each([
  ['a new delivery that another process read over 50 ms before the record', false],
  ['a delivery that was put off, and that another process read just before the record', true],
])('a job of %s, and that enters the gate after it, makes no second attempt', async (_, isPutOff) => {
  const { clock, timers, passTime, store, gate, keys, enter, answer, open } = await firstAttempt();
  if (isPutOff) {
    await store.update('deliveries', {}, { next_attempt_at: clock.now() + 1 });
    await clock.advance(1);
  }
  enter.close();
  // It finds the delivery due, and queues it too. On a busy machine the attempt is slow, and the delivery due once its lease ends.
  const other = startHarness({ clock, timers, store, gate, keys });
  await until(async () => {
    if (enter.waiting() === 0) await clock.advance(1000);
    expect(enter.waiting()).toBe(1);
  });
  answer();
  await until(async () => expect(await store.count('deliveries', { status: 'delivered' })).toBe(1));
  passTime(isPutOff ? 0 : 60);
  enter.open();
  await until(async () => expect(await other.queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 }));
  expect(open).toEqual([]);
  expect(await gate.inFlight((await store.list('endpoints')).map(({ id }) => id))).toEqual([0]);
});

test('a resend leads to another attempt also if a recovery moved the delivery whose attempt is in flight', async () => {
  const { store, clock, resend, answer, deliveries, endsWithTwo } = await firstAttempt();
  const asked = { reason: 'retry_now', next_attempt_at: clock.now(), updated_at: clock.now() } as const;
  await store.update('deliveries', { status: 'pending' }, asked);
  await resend();
  expect(await deliveries()).toMatchObject([{ status: 'pending', reason: 'brought_forward' }]);
  answer();
  await endsWithTwo();
});

test('a recovery takes no attempt away from a resend that waits for the one in flight', async () => {
  const { store, clock, change, resend, answer, deliveries, endsWithTwo } = await firstAttempt();
  await resend();
  await until(async () => expect((await deliveries())[0]?.next_attempt_at).toBeGreaterThan(clock.now()));
  await change((one) => createRecovery(one, { from: 0, statuses: ['pending'], pace: 2 }));
  await until(async () => expect(await store.get('recoveries', {})).toMatchObject({ status: 'done', done: 1 }));
  answer();
  await endsWithTwo();
});
