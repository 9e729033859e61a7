import { expect, test } from 'vitest';
import { groupsOf, maxGroup } from '../../gateway/queue/groups.ts';

const jobs = (count: number, delayMs = 0) =>
  Array.from({ length: count }, (_, index) => ({ deliveryId: `dlv_${index}`, attempt: 1, dueAt: 5, delayMs }));
const namesIn = (given: Parameters<typeof groupsOf>[0]) =>
  groupsOf(given).map((group) => group.jobs.map(({ deliveryId }) => deliveryId));

test('attempts that are due share jobs, in the order in which they were added', () => {
  const given = jobs(2 * maxGroup + 1);
  expect(groupsOf(given).map((group) => group.jobs.length)).toEqual([maxGroup, maxGroup, 1]);
  expect(namesIn(given).flat()).toEqual(given.map(({ deliveryId }) => deliveryId));
});

test('a job carries ids and nothing else', () => {
  expect(groupsOf(jobs(1, -3))).toEqual([
    { id: 'dlv_0-1-5', jobs: [{ deliveryId: 'dlv_0', attempt: 1, dueAt: 5 }], delayMs: 0, low: false, first: false },
  ]);
});

test('attempts that are due at about the same time share a job, which runs when the last one is due', () => {
  const delays = [1000, 1050, 1051, 0];
  const groups = groupsOf(jobs(4).map((job, index) => ({ ...job, delayMs: delays[index] ?? 0 })));
  expect(groups.map(({ delayMs, jobs: some }) => [delayMs, some.map(({ deliveryId }) => deliveryId)])).toEqual([
    [0, ['dlv_3']],
    [1050, ['dlv_0', 'dlv_1']],
    [1051, ['dlv_2']],
  ]);
});

test('low priority shares no job with others', () => {
  const groups = groupsOf(jobs(3).map((job, index) => (index === 1 ? { ...job, low: true, first: false } : job)));
  expect(groups.map(({ low, jobs: some }) => [low, some.length])).toEqual([
    [false, 2],
    [true, 1],
  ]);
});

test('an attempt that is added twice is in one job, and the same attempts have the same id', () => {
  const given = jobs(3);
  expect(namesIn([...given, ...given])).toEqual([['dlv_0', 'dlv_1', 'dlv_2']]);
  const ids = [given, given, given.slice(1)].map((some) => groupsOf(some)[0]?.id);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
});
