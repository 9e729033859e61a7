import { expect, test, vi } from 'vitest';
import { buildTestApp } from '../helper.ts';

test('an error that nobody expected is answered with 500, without its message', async () => {
  const gateway = await buildTestApp();
  const token = await gateway.posToken();
  vi.spyOn(gateway.services.store, 'list').mockRejectedValue(new Error('stack of the database'));
  const { status, body, text } = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${gateway.demo.pos.stores[0]}`, {
    token,
  });
  expect({ status, body }).toMatchObject({ status: 500, body: { success: false, error: { code: 'internal_error' } } });
  expect(text).not.toContain('stack of the database');
});
