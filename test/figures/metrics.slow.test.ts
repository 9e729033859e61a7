import { expect, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { Metrics } from '../../gateway/figures/metrics.ts';

const differences = { missing: { events: 1, deliveries: 2, attempts: 3 }, surplus: { deliveries: 4, attempts: 5 } };
const auditor = { differences, awaitingFanOut: 3, oldestDueMs: 1500 };
const clock = { ...systemClock, skewMs: () => -2500 };
const recorder = { state: { backlog: 7 } };

test('the gauges are read at each request of the page', async () => {
  const metrics = new Metrics();
  let waiting = 1;
  metrics.addGauges({ recorder, auditor, clock, queue: { depth: async () => ({ waiting, delayed: 4, active: 0 }) } });
  await metrics.registry.metrics();
  waiting = 5;
  const text = await metrics.registry.metrics();
  expect(text).toContain('passerelle_calls_backlog 7');
  expect(text).toContain('passerelle_deliveries_unaccounted 6');
  expect(text).toContain('passerelle_ledger_missing_rows{table="events"} 1');
  expect(text).toContain('passerelle_ledger_missing_rows{table="attempts"} 3');
  expect(text).toContain('passerelle_ledger_surplus_rows{table="deliveries"} 4');
  expect(text).toContain('passerelle_oldest_due_delivery_age_seconds 1.5');
  expect(text).toContain('passerelle_clock_skew_seconds -2.5');
  expect(text).toContain('passerelle_events_awaiting_fan_out 3');
  expect(text).toContain('passerelle_queue_jobs{state="waiting"} 5');
  expect(text).toContain('passerelle_queue_jobs{state="delayed"} 4');
});

test('if the queue is down, its gauge is empty and the others keep their values', async () => {
  const metrics = new Metrics();
  let down = false;
  const depth = async () => {
    if (down) throw new Error('down');
    return { waiting: 1, delayed: 0, active: 0 };
  };
  metrics.addGauges({ recorder, auditor, clock, queue: { depth } });
  expect(await metrics.registry.metrics()).toContain('passerelle_queue_jobs{state="waiting"} 1');
  down = true;
  const text = await metrics.registry.metrics();
  expect(text).toContain('passerelle_calls_backlog 7');
  expect(text).not.toContain('passerelle_queue_jobs{');
});

test('delays count first attempts and receipts, and none is negative', async () => {
  const metrics = new Metrics();
  metrics.reached('first_attempt', -40);
  metrics.reached('first_attempt', 500);
  metrics.reached('receipt', 61_000);
  const text = await metrics.registry.metrics();
  for (const line of ['count{until="first_attempt"} 2', 'sum{until="first_attempt"} 0.5', 'sum{until="receipt"} 61'])
    expect(text).toContain(`passerelle_delivery_delay_seconds_${line}\n`);
});
