import { expect, test } from 'vitest';
import type { NewJob, Queue } from '../../gateway/queue/port.ts';
import { alertRuleNames } from '../../gateway/store/tables/alerts.ts';
import { receiver } from '../webhooks/receiver.ts';
import { type Alerted, alertedGateway, emit } from './harness.ts';

/** A queue that keeps jobs back while it is slow. */
function slowQueue() {
  const kept: NewJob[] = [];
  let inner: Queue | undefined;
  let isSlow = false;
  const wrapQueue = (queue: Queue): Queue => {
    inner = queue;
    return new Proxy(queue, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (name === 'add' && isSlow) return async (jobs: NewJob[]) => void kept.push(...jobs);
        return typeof method === 'function' ? method.bind(target) : method;
      },
    });
  };
  const slow = () => {
    isSlow = true;
  };
  const release = async () => {
    isSlow = false;
    await inner?.add(kept);
  };
  return { wrapQueue, slow, release };
}

async function withEndpoint(options: Parameters<typeof alertedGateway>[0]): Promise<Alerted> {
  const gateway = await alertedGateway(options);
  for (const rule of alertRuleNames)
    await gateway.manage('PUT', `/alerts/rules/${rule}`, rule === 'queue_down' ? {} : { enabled: false });
  const { url } = await receiver();
  await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  return gateway;
}

test('an alert tells that first attempts begin late, while many of the last minutes and of the last hour do', async () => {
  const { wrapQueue, slow, release } = slowQueue();
  const gateway = await withEndpoint({ wrapQueue });
  slow();
  await emit(gateway, 10);
  gateway.clock.leap(6000);
  await release();
  await gateway.settled();
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1), 60_000);
  expect(gateway.mails[0]?.body).toMatch(
    /10 of 10 first attempts in the last hour began over 5 s late by the gateway's own fault\./,
  );

  gateway.clock.leap(7 * 60_000);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2), 60_000);
  expect(gateway.mails[1]?.body).toMatch(/First attempts begin in time again\./);
  const { data } = (await gateway.manage('GET', '/alerts')).body;
  expect(data).toMatchObject([{ rule: 'queue_down', subject: 'delay', case: null, state: 'resolved' }]);
});

test('a few late ones are no alert', async () => {
  const { wrapQueue, slow, release } = slowQueue();
  const gateway = await withEndpoint({ wrapQueue });
  await emit(gateway, 1);
  slow();
  await emit(gateway, 9);
  gateway.clock.leap(6000);
  await release();
  await gateway.settled();
  for (let round = 0; round < 8; round++) await gateway.rounds(() => {}, 60_000);
  expect(gateway.mails).toEqual([]);
});
