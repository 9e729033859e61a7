import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { LatestCalls } from '../../stubs/latest-calls.ts';

test('the latest calls are kept, and fewer large ones, so that memory is bounded; the newest call stays', async () => {
  const stored: string[] = [];
  const append = async (_table: string, rows: { id: string }[]) => void stored.push(...rows.map(({ id }) => id));
  const latest = new LatestCalls({ store: Object.assign(new MemoryStore(), { append }), maxBytes: 100_000, calls: 10 });
  const receive = (id: string, bytes: number) => latest.push({ bytes, row: () => ({ id }) as Row<'calls'> });
  for (let at = 0; at < 1000; at++) receive(`small ${at}`, 100);
  await latest.flush();
  expect(stored.slice(-10)).toEqual(Array.from({ length: 10 }, (_, at) => `small ${990 + at}`));
  expect(stored.length).toBeLessThan(20);
  for (const id of ['one', 'two', 'three', 'four']) receive(id, 60_000);
  expect(latest.state.backlog).toBeLessThan(3);
  await latest.flush();
  expect(stored.at(-1)).toBe('four');
  receive('five', 60_000);
  expect(latest.state.backlog).toBe(1);
});
