import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import { queueName } from '../../gateway/queue/redis.ts';
import { eventually } from '../eventually.ts';
import type { Service } from './private-services.ts';
import { type Environment, installation, ledgerOf, saleReferences, sellMany, startTwo } from './services.ts';

/** Starts two processes that sell, and a receiver that must get every sale. `refuse` says whether it answers 500. */
export async function startSelling(given: Environment) {
  const shared = await installation(given);
  let refuses = false;
  const { gateways, first, target, shop } = await startTwo(shared, 'pro', (response) =>
    response.writeHead(refuses ? 500 : 200).end(),
  );
  let sold = 0;
  const sell = async (count: number) => {
    expect(new Set(await sellMany(shop, gateways, count))).toEqual(new Set([201]));
    sold += count;
  };
  const allReceived = () => eventually(() => expect(saleReferences(target.received).size).toBe(sold));
  const allDelivered = () =>
    eventually(async () => {
      const { delivered, pending } = (await ledgerOf(first)).deliveries;
      expect([delivered, pending, saleReferences(target.received).size]).toEqual([sold, 0, sold]);
    });
  const refuse = (does: boolean) => {
    refuses = does;
  };
  return { first, sell, allReceived, allDelivered, refuse, prefix: shared.REDIS_PREFIX as string };
}

/** A client that only the test uses. */
export function clientOf({ url }: Pick<Service, 'url'>): Redis {
  const client = new Redis(url);
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

/** The replica gets nothing more. A suspended one would get what its socket holds when it goes on. */
export async function cutOff({ primary, replica }: { primary: Redis; replica: Redis }): Promise<void> {
  // The primary has no password, and refuses this one.
  await replica.config('SET', 'masterauth', 'wrong');
  await primary.call('client', 'kill', 'type', 'replica');
  await eventually(async () => expect(await replica.info('replication')).toContain('master_link_status:down'));
}

/** Kills a primary whose replica lacks the jobs of all pending deliveries. Nothing may be lost. */
export async function loseJobs(
  REDIS_URL: string,
  find: (prefix: string) => Promise<{ primary: Service; replica: Service; keys: string }>,
): Promise<void> {
  const { sell, allReceived, allDelivered, refuse, prefix } = await startSelling({ REDIS_URL });
  await sell(20);
  await allDelivered();
  const found = await find(prefix);
  const [primary, replica] = [clientOf(found.primary), clientOf(found.replica)];
  // A replica of a cluster says only which keys it has.
  const delayed = (server: Redis) => server.keys(`${found.keys}:${queueName}:delayed`);
  // An attempt of more than 250 ms leaves a delayed job behind.
  await eventually(async () => expect(await delayed(replica)).toEqual([]));
  await cutOff({ primary, replica });
  refuse(true);
  // More failures would make the endpoint wait for its receiver.
  await sell(5);
  await allReceived();
  await eventually(async () => expect(await delayed(primary)).toHaveLength(1));
  expect(await delayed(replica)).toEqual([]);
  await found.primary.kill();
  await eventually(async () => expect(await replica.info('replication')).toContain('role:master'));
  refuse(false);
  await sell(20);
  await allDelivered();
}
