import { expect, test } from 'vitest';
import { Metrics } from '../../gateway/figures/metrics.ts';

const auditor = { unaccounted: 2, awaitingFanOut: 3 };
const recorder = { state: { backlog: 7 } };

test('the gauges are read at each request of the page', async () => {
  const metrics = new Metrics();
  let waiting = 1;
  metrics.addGauges({ recorder, auditor, queue: { depth: async () => ({ waiting, delayed: 4, active: 0 }) } });
  await metrics.registry.metrics();
  waiting = 5;
  const text = await metrics.registry.metrics();
  expect(text).toContain('passerelle_calls_backlog 7');
  expect(text).toContain('passerelle_deliveries_unaccounted 2');
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
  metrics.addGauges({ recorder, auditor, queue: { depth } });
  expect(await metrics.registry.metrics()).toContain('passerelle_queue_jobs{state="waiting"} 1');
  down = true;
  const text = await metrics.registry.metrics();
  expect(text).toContain('passerelle_calls_backlog 7');
  expect(text).not.toContain('passerelle_queue_jobs{');
});
