import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { HotHistogram } from '../../gateway/figures/histogram.ts';

test("the page shows what prom-client's own histogram would show", async () => {
  const about = { name: 'calls_seconds', help: 'Calls.', labelNames: ['api', 'status'] as const, buckets: [0.1, 1, 5] };
  const [theirs, ours] = [new Registry(), new Registry()];
  const library = new Histogram({ ...about, registers: [theirs] });
  const hot = new HotHistogram({ ...about, registry: ours });
  expect(await ours.metrics()).toBe(await theirs.metrics());
  const observed = [
    [0.05, 'pos', '200'],
    [0.1, 'pos', '200'],
    [0.11, 'pos', '200'],
    [1, 'a"b\\c', '429'],
    [7, 'pos', '503'],
    [0, 'pos', '503'],
  ] as const;
  for (const [value, api, status] of observed) {
    library.observe({ api, status }, value);
    hot.observe(value, api, status);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  expect(await ours.metrics()).toContain('calls_seconds_bucket{le="0.1",api="pos",status="200"} 2');
});
