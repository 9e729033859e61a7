import { expect, test } from 'vitest';
import { SlowShares } from '../../gateway/webhooks/delivery/shares.ts';
import { until } from './harness.ts';

test('an endpoint is slow until its last slow request has ended, also if that failed', async () => {
  const shares = new SlowShares({ concurrency: 10 });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void shares.count('ep_1', first.promise);
  void shares.count('ep_1', second.promise);
  first.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(shares.has('ep_1')).toBe(true);
  second.reject(new Error('closed'));
  await until(() => expect(shares.has('ep_1')).toBe(false));
});
