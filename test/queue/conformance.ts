import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { Job, Queue } from '../../gateway/queue/port.ts';
import { eventually } from '../eventually.ts';

export interface QueueUnderTest {
  queue: Queue;
  /** Messages that the queue logged as errors. */
  logged: string[];
  /** Advances the clock. Does nothing in real time. */
  pass(ms: number): Promise<void>;
}

const due = (deliveryId: string, attempt = 1) => ({ deliveryId, attempt, dueAt: 5, delayMs: 0 });

/** `logged` has the messages of this level and those above. */
export function listeningLog(level = 'error'): { log: Logger; logged: string[] } {
  const logged: string[] = [];
  const sink = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  return { log: pino({ level }, sink), logged };
}

/** The tests of every Queue. `open` returns a new one. */
export function queueConformance(open: () => Promise<QueueUnderTest>): void {
  async function started(handler: (job: Job) => Promise<void>, concurrency = 10): Promise<QueueUnderTest> {
    const opened = await open();
    onTestFinished(() => opened.queue.close());
    opened.queue.work(handler, { concurrency });
    return opened;
  }

  test('runs each job once, with its ids and nothing else', async () => {
    const ran: Job[] = [];
    const { queue } = await started(async (job) => void ran.push(job));
    await queue.add([due('a'), due('b', 3)]);
    await eventually(() => expect(ran).toHaveLength(2));
    expect(ran).toEqual(
      expect.arrayContaining([
        { deliveryId: 'a', attempt: 1, dueAt: 5 },
        { deliveryId: 'b', attempt: 3, dueAt: 5 },
      ]),
    );
    await eventually(async () => expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 }));
  });

  test('accepts an empty batch', async () => {
    const { queue } = await started(async () => {});
    await queue.add([]);
    expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });

  test('jobs added before the start wait for it', async () => {
    const { queue } = await open();
    onTestFinished(() => queue.close());
    await queue.add([due('early')]);
    expect((await queue.depth()).waiting).toBe(1);
    const ran: string[] = [];
    queue.work(async ({ deliveryId }) => void ran.push(deliveryId), { concurrency: 1 });
    await eventually(() => expect(ran).toEqual(['early']));
  });

  test('a job queued twice is one job, while it waits, runs or is delayed', async () => {
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { queue } = await started(async ({ deliveryId }) => {
      ran.push(deliveryId);
      await gate.promise;
    });
    await queue.add([due('twice'), due('twice')]);
    await eventually(() => expect(ran).toEqual(['twice']));
    await queue.add([due('twice')]);
    await queue.add([{ ...due('later'), delayMs: 3_600_000 }]);
    await queue.add([due('later')]);
    await eventually(async () => expect(await queue.depth()).toEqual({ waiting: 0, delayed: 1, active: 1 }));
    gate.resolve();
    await eventually(async () => expect((await queue.depth()).active).toBe(0));
    await queue.add([due('last')]);
    await eventually(() => expect(ran).toEqual(['twice', 'last']));
  });

  test('a job that runs, and is queued again beside another one, does not run twice at once', async () => {
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { queue } = await started(async ({ deliveryId }) => {
      ran.push(deliveryId);
      await gate.promise;
    });
    await queue.add([due('runs')]);
    await eventually(() => expect(ran).toEqual(['runs']));
    await queue.add([due('runs'), due('other')]);
    await eventually(() => expect(ran).toEqual(['runs', 'other']));
    gate.resolve();
    await eventually(async () => expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 }));
    expect(ran).toEqual(['runs', 'other']);
  });

  test('a slow job and a failing one do not hold up those that were queued with them', async () => {
    const ended: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { queue, logged } = await started(async ({ deliveryId }) => {
      if (deliveryId === 'slow') await gate.promise;
      if (deliveryId === 'bad') throw new Error('the handler broke');
      ended.push(deliveryId);
    }, 3);
    await queue.add(['slow', 'bad', 'a', 'b', 'c', 'd'].map((deliveryId) => due(deliveryId)));
    await eventually(() => expect(ended).toEqual(['a', 'b', 'c', 'd']));
    expect(logged).toContain('job.failed');
    gate.resolve();
    await eventually(() => expect(ended).toEqual(['a', 'b', 'c', 'd', 'slow']));
    await eventually(async () => expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 }));
  });

  test('the id of a finished job can be queued again', async () => {
    let runs = 0;
    const { queue } = await started(async () => void runs++);
    await queue.add([due('again')]);
    await eventually(async () => expect([runs, await queue.depth()]).toEqual([1, { waiting: 0, delayed: 0, active: 0 }]));
    await queue.add([due('again')]);
    await eventually(() => expect(runs).toBe(2));
  });

  test('a delayed job runs when its time comes, after one that is due', async () => {
    const ran: string[] = [];
    const { queue, pass } = await started(async ({ deliveryId }) => void ran.push(deliveryId));
    await queue.add([{ ...due('late'), delayMs: 300 }, due('now')]);
    await eventually(() => expect(ran[0]).toBe('now'));
    await pass(350);
    await eventually(() => expect(ran).toEqual(['now', 'late']));
  });

  test('runs at most `concurrency` jobs at once', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    const { queue } = await started(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      done++;
    }, 3);
    await queue.add(Array.from({ length: 20 }, (_, index) => due(`job${index}`)));
    await eventually(() => expect(done).toBe(20));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  test('a low-priority job runs only when no other job waits, however early it was queued', async () => {
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { queue } = await started(async ({ deliveryId }) => {
      ran.push(deliveryId);
      await gate.promise;
    }, 1);
    await queue.add([due('running')]);
    await eventually(() => expect(ran).toEqual(['running']));
    await queue.add(['low1', 'low2'].map((deliveryId) => ({ ...due(deliveryId), low: true })));
    await queue.add([due('live1'), due('live2')]);
    const { waiting, ...others } = await queue.depth();
    expect(others).toEqual({ delayed: 0, active: 1 });
    // What is added together may share a job.
    expect(waiting).toBeGreaterThanOrEqual(2);
    gate.resolve();
    await eventually(() => expect(ran).toEqual(['running', 'live1', 'live2', 'low1', 'low2']));
  });

  test('an error of a handler is logged, its job is dropped, and the others run', async () => {
    const ran: string[] = [];
    const { queue, logged } = await started(async ({ deliveryId }) => {
      ran.push(deliveryId);
      if (deliveryId === 'bad') throw new Error('the handler broke');
    }, 1);
    await queue.add([due('bad')]);
    await queue.add([due('good')]);
    await eventually(() => expect(ran).toEqual(['bad', 'good']));
    expect(logged).toContain('job.failed');
    await eventually(async () => expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 }));
    await queue.add([due('bad')]);
    await eventually(() => expect(ran).toEqual(['bad', 'good', 'bad']));
  });

  test('close waits for running jobs and takes no more', async () => {
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    let finished = 0;
    const { queue } = await open();
    queue.work(
      async ({ deliveryId }) => {
        begun.push(deliveryId);
        await gate.promise;
        finished++;
      },
      { concurrency: 1 },
    );
    await queue.add([due('running'), due('waiting')]);
    await eventually(() => expect(begun).toHaveLength(1));
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    expect(finished).toBe(1);
    expect(begun).toHaveLength(1);
  });
}
