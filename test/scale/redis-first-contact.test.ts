import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { RedisQueue } from '../../gateway/queue/redis.ts';
import { eventually } from '../eventually.ts';
import { newName, onScale, redisUrl } from './services.ts';

const empty = { waiting: 0, delayed: 0, active: 0 };

/** A queue that reaches Redis through the proxy `treat`, which gets each connection's first bytes. */
async function queueBehind(treat: (client: Socket, redis: Socket, connection: number) => void): Promise<RedisQueue> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(redisUrl);
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => other.destroy());
    }
    treat(client, redis, connections++);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
  const queue = new RedisQueue({ url, prefix: newName(), attemptDeadlineMs: 1000, log: openLog('silent') });
  onTestFinished(async () => {
    await queue.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return queue;
}

const askedForVersion = /\$4\r\ninfo\r\n/gi;

onScale('the first contact with Redis', () => {
  test('that breaks off is tried again', async () => {
    const queue = await queueBehind((client, redis, connection) => {
      let asked = 0;
      client.on('data', (bytes: Buffer) => {
        asked += String(bytes).match(askedForVersion)?.length ?? 0;
        // ioredis asks for the version once. A second question is BullMQ's, which would fail permanently without a reply.
        if (connection === 0 && asked > 1) client.destroy();
        else redis.write(bytes);
      });
      redis.pipe(client);
    });
    await eventually(async () => expect(await queue.depth()).toEqual(empty));
  });

  test('that never succeeds: calls to the queue throw, and shutdown does not wait', async () => {
    const queue = await queueBehind(() => {});
    const job = { deliveryId: 'a', attempt: 1, dueAt: 5, delayMs: 0 };
    const refused = await Promise.allSettled([queue.depth(), queue.add([job])]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
