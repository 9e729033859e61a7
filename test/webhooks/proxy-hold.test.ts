import pino from 'pino';
import { expect, test } from 'vitest';
import { ProxyHold } from '../../gateway/webhooks/delivery/proxy-hold.ts';
import { unsent } from '../../gateway/webhooks/sending/exchange.ts';

function heldAt(nowMs: number) {
  const time = { nowMs };
  const after = () => {
    throw new Error('The job waits.');
  };
  const hold = new ProxyHold({ timers: { elapsed: () => time.nowMs, after }, log: pino({ level: 'silent' }) });
  const fail = () => hold.note({ ...unsent('unknown', 'The proxy is away.'), proxyFailed: { status: null } });
  fail();
  return { hold, time, fail };
}

test('a hold for the proxy lets one job a second through, and ends 30 s after the last failure', async () => {
  const { hold, time, fail } = heldAt(0);
  await expect(hold.ready()).rejects.toThrow('The job waits.');
  time.nowMs = 20_000;
  expect(await hold.ready()).toBe(true);
  await expect(hold.ready()).rejects.toThrow('The job waits.');
  fail();
  time.nowMs = 49_999;
  expect([await hold.ready(), hold.failure]).toEqual([true, 'The proxy is away.']);
  await expect(hold.ready()).rejects.toThrow('The job waits.');
  // Receivers that only time out say nothing about the proxy.
  hold.note(unsent('timeout', 'The deadline passed.'));
  time.nowMs = 50_000;
  expect([await hold.ready(), await hold.ready(), hold.failure]).toEqual([true, true, null]);
});
