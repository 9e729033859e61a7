import { expect, test } from 'vitest';
import { Fresh } from '../../gateway/webhooks/fresh.ts';
import { jobsOf } from '../../gateway/webhooks/jobs.ts';
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

test('its endpoint is one that was read half a second before at most', () => {
  const fresh = new Fresh();
  const at = (ms: number) => {
    const { job, fresh: one } = made(`dlv_${ms}`);
    fresh.put(one);
    return fresh.take(job, madeAt + ms)?.endpoint;
  };
  expect(at(0)).toBeUndefined();
  fresh.putEndpoints([endpoint('ep_1', { url: 'https://one.example/' })], madeAt);
  expect(at(499)).toMatchObject({ url: 'https://one.example/' });
  expect(at(500)).toBeUndefined();
  fresh.putEndpoints([endpoint('ep_1', { url: 'https://two.example/' })], madeAt + 500);
  expect(at(999)).toMatchObject({ url: 'https://two.example/' });
  fresh.forgetEndpoint('ep_1');
  expect(at(600)).toBeUndefined();
  fresh.putEndpoints([endpoint('ep_1')], madeAt + 500);
  fresh.putEndpoints([endpoint('ep_1', { held_until: madeAt })], madeAt + 501);
  expect(at(502)).toBeUndefined();
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
