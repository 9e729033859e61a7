import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { RedisQueue } from '../../gateway/queue/redis.ts';
import { eventually } from '../eventually.ts';
import { networkTo, proxyTo } from './network.ts';
import { newName, onScale, redisUrl } from './services.ts';

const empty = { waiting: 0, delayed: 0, active: 0 };

function queueAt(url: string): RedisQueue {
  const queue = new RedisQueue({ url, prefix: newName(), attemptDeadlineMs: 1000, log: openLog('silent') });
  onTestFinished(() => queue.close());
  return queue;
}

const askedForVersion = /\$4\r\ninfo\r\n/gi;

onScale('the first contact with Redis', () => {
  test('that breaks off is tried again', async () => {
    const carry = (client: Socket, redis: Socket, connection: number) => {
      let asked = 0;
      client.on('data', (bytes: Buffer) => {
        asked += String(bytes).match(askedForVersion)?.length ?? 0;
        // ioredis asks for the version once. A second question is BullMQ's, which would fail permanently without a reply.
        if (connection === 0 && asked > 1) client.destroy();
        else redis.write(bytes);
      });
      redis.pipe(client);
    };
    const queue = queueAt(await proxyTo(() => redisUrl, carry));
    await eventually(async () => expect(await queue.depth()).toEqual(empty));
  });

  test('that never succeeds: calls to the queue throw, and shutdown does not wait', async () => {
    const network = await networkTo(redisUrl);
    network.suffers({ requests: { held: true } });
    const queue = queueAt(network.url);
    const job = { deliveryId: 'a', attempt: 1, dueAt: 5, delayMs: 0 };
    const refused = await Promise.allSettled([queue.depth(), queue.add([job])]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
