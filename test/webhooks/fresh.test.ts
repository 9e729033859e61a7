import { expect, test } from 'vitest';
import { jobsOf } from '../../gateway/webhooks/model/jobs.ts';
import { Fresh } from '../../gateway/webhooks/outbox/fresh.ts';
import { delivery, endpoint, event } from '../store/rows.ts';

const madeAt = 1_000_000;

function made(id: string, at = madeAt) {
  const row = { ...delivery(id, 'evt_1', 'ep_1'), next_attempt_at: at, created_at: at };
  const [job] = jobsOf([row]);
  if (!job) throw new Error('A delivery that is owed an attempt has a job.');
  return { job, fresh: { delivery: row, event: event('evt_1') } };
}

test('a delivery just made is given out once, for its own job', () => {
  const fresh = new Fresh();
  const { job, fresh: one } = made('dlv_1');
  fresh.put(one);
  expect(fresh.take({ ...job, dueAt: job.dueAt + 1 }, madeAt)).toBeUndefined();
  fresh.put(one);
  expect(fresh.take(job, madeAt + 4999)).toEqual(one);
  expect(fresh.take(job, madeAt)).toBeUndefined();
});

test('after five seconds it is read again', () => {
  const fresh = new Fresh();
  const { job, fresh: one } = made('dlv_1');
  fresh.put(one);
  expect(fresh.take(job, madeAt + 5000)).toBeUndefined();
});

test('its endpoint is as it was then, for half a second', () => {
  const fresh = new Fresh();
  const { job, fresh: one } = made('dlv_1');
  const whole = { ...one, endpoint: endpoint('ep_1') };
  fresh.put(whole);
  expect(fresh.take(job, madeAt + 499)).toEqual(whole);
  fresh.put(whole);
  expect(fresh.take(job, madeAt + 500)).toEqual(one);
});

test('of more than can be kept, those that are wanted first stay, until they are too old', () => {
  const fresh = new Fresh();
  const many = Array.from({ length: 10_001 }, (_, at) => made(`dlv_${at}`));
  for (const { fresh: one } of many) fresh.put(one);
  const late = made('dlv_late', madeAt + 5000);
  const [first, last] = [many[0], many.at(-1)];
  expect(last && fresh.take(last.job, madeAt)).toBeUndefined();
  fresh.put(late.fresh);
  expect(first && fresh.take(first.job, madeAt)).toBeUndefined();
  expect(fresh.take(late.job, madeAt + 5000)).toEqual(late.fresh);
});
