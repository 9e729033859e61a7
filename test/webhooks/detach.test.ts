import pino from 'pino';
import { expect, test } from 'vitest';
import { ManualClock, systemTimers, type Timers } from '../../gateway/base/clock.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { DetachedAttempts } from '../../gateway/webhooks/delivery/detach.ts';
import { SlowShares } from '../../gateway/webhooks/delivery/shares.ts';
import { jobsOf } from '../../gateway/webhooks/model/jobs.ts';
import { delivery } from '../store/rows.ts';
import { startMs, until } from './harness.ts';

const deadlineMs = 5000;

/** `attempt` starts an attempt whose receiver does not answer before `answer` is called. */
function start(timers: Timers = systemTimers) {
  const store = new MemoryStore();
  const clock = new ManualClock(startMs);
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const queue = new MemoryQueue(clock, log);
  const slow = new SlowShares({ concurrency: 10 });
  const detached = new DetachedAttempts({ store, queue, clock, timers, log, slow, deadlineMs });
  const attempt = async (id: string, failure?: Error) => {
    const row = { ...delivery(id, `evt_${id}`, 'ep_1'), next_attempt_at: startMs };
    await store.append('deliveries', [row]);
    const [job] = jobsOf([row]);
    if (!job) throw new Error('A pending delivery must have a job.');
    const { promise: request, resolve: answer } = Promise.withResolvers<void>();
    const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
    let isReleased = false;
    const jobEnded = detached.run(job, async (releaseJob) => {
      await detached.releaseIfSlow(request, row, () => {
        isReleased = true;
        releaseJob();
      });
      decide();
      await request;
      if (failure) throw failure;
    });
    await decided;
    return { isReleased, jobEnded, answer };
  };
  return { attempt, detached, store, queue, logged };
}

test('a timer that fires late shows that this process is slow, so the receiver gets its time again', async () => {
  let nowMs = 0;
  const tasks: (() => void)[] = [];
  const after = (_: number, task: () => void) => {
    tasks.push(task);
    return () => {};
  };
  const { attempt, detached } = start({ elapsed: () => nowMs, after });
  const started = attempt('dlv_1');
  const fireAfter = async (ms: number) => {
    await until(() => expect(tasks).toHaveLength(1));
    nowMs += ms;
    tasks.shift()?.();
  };
  await fireAfter(400);
  await fireAfter(400);
  await fireAfter(250);
  const { isReleased, answer } = await started;
  expect([isReleased, tasks]).toEqual([true, []]);
  answer();
  await detached.settled();
});

test('an attempt that fails after it released its job is logged', async () => {
  const { attempt, detached, logged } = start();
  const { jobEnded, answer } = await attempt('dlv_1', new Error('the store is away'));
  await jobEnded;
  expect(logged).toEqual([]);
  answer();
  await detached.settled();
  expect(logged).toEqual(['job.failed']);
});
