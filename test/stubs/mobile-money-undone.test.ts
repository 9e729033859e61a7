import pino from 'pino';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { StubClock } from '../../stubs/clock.ts';
import { StubMobileMoney } from '../../stubs/payments/mobile-money.ts';
import { parseMobileMoneyRules } from '../../stubs/payments/rule.ts';

const nowMs = Date.UTC(2026, 10, 21, 8);
const payment = { id: 'pay_1', phone: '+2250700000000', amount: '9000', provider: 'orange_money' };

/** Mobile money whose first payment is pending, and changes that it follows. */
function openMoney() {
  const clock = new StubClock(nowMs);
  const store = new MemoryStore();
  const run = changesOn({ store, clock, afterCommit() {} });
  const rules = parseMobileMoneyRules(['pending:30s,times=1']);
  const services = { store, clock, change: run };
  const money = new StubMobileMoney({ services, rules, log: pino({ level: 'silent' }), ended() {} });
  money.start();
  return { money, change: money.follow(run) };
}

test('a payment whose change is undone does not end, and counts for no rule', async () => {
  const { money, change } = openMoney();
  const undone = change(async (step) => {
    expect(money.charge(payment, step)).toBe('pending');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(money.endingOf('pay_1')).toBeUndefined();
  await change(async (step) => {
    expect(money.charge({ ...payment, id: 'pay_2' }, step)).toBe('pending');
    expect(money.charge({ ...payment, id: 'pay_3' }, step)).toBe('received');
  });
  expect(money.endingOf('pay_2')).toMatchObject({ atMs: nowMs + 30_000, as: 'received' });
  expect(money.endingOf('pay_3')).toBeUndefined();
});

test('a payment whose change was committed after a reset does not end', async () => {
  const { money, change } = openMoney();
  await change(async (step) => {
    money.charge(payment, step);
    await money.stop();
    money.start();
  });
  expect(money.endingOf('pay_1')).toBeUndefined();
  await change(async (step) => expect(money.charge({ ...payment, id: 'pay_2' }, step)).toBe('pending'));
});
