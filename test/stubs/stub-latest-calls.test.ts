import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { LatestCalls } from '../../stubs/latest-calls.ts';

function latest(options: { calls: number; maxBytes?: number }) {
  const stored: string[] = [];
  const append = async (_table: string, rows: { id: string }[]) => void stored.push(...rows.map(({ id }) => id));
  const store = Object.assign(new MemoryStore(), { append });
  const made: number[] = [];
  const latestCalls = new LatestCalls({ store, maxBytes: 100_000, ...options });
  const receive = (numbers: number[], bytes = 100) => {
    for (const number of numbers)
      latestCalls.push({
        bytes,
        row: () => {
          made.push(number);
          return { id: `call_${number}` } as Row<'calls'>;
        },
      });
  };
  return { latestCalls, receive, stored, made };
}

test('rows are created only on a read, and only for the latest calls', async () => {
  const { latestCalls, receive, stored, made } = latest({ calls: 10 });
  receive([...Array(1000).keys()]);
  expect(made).toEqual([]);
  await latestCalls.flush();
  expect(stored.slice(-10)).toEqual([...Array(10).keys()].map((at) => `call_${990 + at}`));
  expect(stored.length).toBeLessThan(20);
  await latestCalls.flush();
  expect(made.length).toBe(stored.length);
});

test('large calls are dropped sooner, so that memory is bounded; the newest call stays', async () => {
  const { latestCalls, receive, stored } = latest({ calls: 10 });
  receive([1, 2, 3, 4], 60_000);
  expect(latestCalls.state.backlog).toBeLessThan(3);
  await latestCalls.flush();
  expect(stored.at(-1)).toBe('call_4');
  receive([5], 60_000);
  expect(latestCalls.state.backlog).toBe(1);
});

test('a reset drops the calls that nobody has read', async () => {
  const { latestCalls, receive, stored } = latest({ calls: 10 });
  receive([1, 2]);
  latestCalls.reset();
  await latestCalls.flush();
  expect(stored).toEqual([]);
});
