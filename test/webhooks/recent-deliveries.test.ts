import { expect, onTestFinished, test, vi } from 'vitest';
import { jobsOf } from '../../gateway/webhooks/model/jobs.ts';
import { RecentDeliveries } from '../../gateway/webhooks/outbox/recent-deliveries.ts';
import { delivery, endpoint, event } from '../store/rows.ts';
import { startHarness } from './harness.ts';
import { receiver } from './receiver.ts';

const createdAt = 1_000_000;

function create(id: string, at = createdAt) {
  const row = { ...delivery(id, 'evt_1', 'ep_1'), next_attempt_at: at, created_at: at };
  const [job] = jobsOf([row]);
  if (!job) throw new Error('A pending delivery must have a job.');
  return { job, created: { delivery: row, event: event('evt_1') } };
}

test('a delivery is taken once, by its own job', () => {
  const recent = new RecentDeliveries();
  const { job, created } = create('dlv_1');
  recent.put(created);
  expect(recent.take({ ...job, dueAt: job.dueAt + 1 }, createdAt)).toBeUndefined();
  recent.put(created);
  expect(recent.take(job, createdAt + 4999)).toEqual({ ...created, ageMs: 4999 });
  expect(recent.take(job, createdAt)).toBeUndefined();
});

test('after five seconds it is not in the cache any more', () => {
  const recent = new RecentDeliveries();
  const { job, created } = create('dlv_1');
  recent.put(created);
  expect(recent.take(job, createdAt + 5000)).toBeUndefined();
});

test('one that nobody takes leaves the cache with the first that is put after five seconds', () => {
  const recent = new RecentDeliveries();
  const { job, created } = create('dlv_1');
  recent.put(created);
  recent.put(create('dlv_2', createdAt + 5000).created);
  expect(recent.take(job, createdAt)).toBeUndefined();
});

test('a process that makes no attempts caches none', async () => {
  const put = vi.spyOn(RecentDeliveries.prototype, 'put');
  onTestFinished(() => put.mockRestore());
  for (const [work, cached] of [
    [true, 1],
    [false, 1],
  ] as const) {
    const harness = startHarness({ work });
    await harness.endpoint({ url: (await receiver()).url });
    await harness.emit();
    expect(await harness.deliveries()).toHaveLength(1);
    expect(put).toHaveBeenCalledTimes(cached);
  }
});

test('its endpoint is cached for half a second', () => {
  const recent = new RecentDeliveries();
  const { job, created } = create('dlv_1');
  const whole = { ...created, endpoint: endpoint('ep_1') };
  recent.put(whole);
  expect(recent.take(job, createdAt + 499)).toEqual({ ...whole, ageMs: 499 });
  recent.put(whole);
  expect(recent.take(job, createdAt + 500)).toEqual({ ...created, ageMs: 500 });
});

test('a full cache keeps the oldest deliveries, which are needed first, until they are too old', () => {
  const recent = new RecentDeliveries();
  const many = Array.from({ length: 10_001 }, (_, at) => create(`dlv_${at}`));
  for (const { created } of many) recent.put(created);
  const late = create('dlv_late', createdAt + 5000);
  const [first, last] = [many[0], many.at(-1)];
  expect(last && recent.take(last.job, createdAt)).toBeUndefined();
  recent.put(late.created);
  expect(first && recent.take(first.job, createdAt)).toBeUndefined();
  expect(recent.take(late.job, createdAt + 5000)).toEqual({ ...late.created, ageMs: 0 });
});
