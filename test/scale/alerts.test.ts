import { expect, test } from 'vitest';
import { emailChannel } from '../alerts/harness.ts';
import { mailServer } from '../alerts/mail-server.ts';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { startPostgres, startRedis } from './private-services.ts';
import {
  connected,
  type Environment,
  installation,
  manage,
  onScale,
  openShop,
  register,
  shortDeadline,
  start,
} from './services.ts';

/** Two processes that send their alerts to one mail server. */
async function alerted(given: Environment) {
  const shared = await installation({ PUBLIC_URL: 'https://gateway.example.org', ...given });
  const processes = await Promise.all([start(shared), start(shared)]);
  const { port, mails } = await mailServer();
  const [first] = processes as [Started, Started];
  await manage(first, 'POST', '/alerts/channels', emailChannel(port));
  const subjects = () => mails.map(({ subject }) => subject);
  return { shared, processes, first, subjects };
}

/**
 * Waits until a process other than `former` has read the rules: it holds the lease, and writes no alert before. Returns its
 * process id.
 */
async function watcherOf(shared: Environment, former?: number): Promise<number> {
  const client = await connected(shared);
  return eventually(async () => {
    const { rows } = await client.query(
      `select holder from passerelle.leases where name = 'alerts' and expires_at > extract(epoch from clock_timestamp()) * 1000`,
    );
    expect(rows).toHaveLength(1);
    const holder = Number(rows[0].holder.split(':').at(-1));
    expect(holder).not.toBe(former);
    return holder;
  });
}

const history = async (gateway: Started) => (await manage(gateway, 'GET', '/alerts')).body.data;

onScale('alerts of several processes', () => {
  test('the process that watches is killed while an alert is open: another one ends it, and nothing is sent twice', async () => {
    // The delivery must not run out of attempts before the other process watches: then nothing would end the hold.
    const retries = { WEBHOOK_RETRY_SECONDS: `0${',10'.repeat(29)}`, ...shortDeadline };
    const { shared, processes, first, subjects } = await alerted(retries);
    const answer = { status: 503 };
    const target = await receiver((response) => response.writeHead(answer.status).end());
    await register(first, target.url);
    await (await openShop(first)).sell(first);
    await eventually(() => expect(subjects()).toEqual([expect.stringMatching(/Warning: .*Its deliveries wait/)]));
    await eventually(async () => expect((await history(first))[0].messages[0].status).toBe('sent'));

    const watcher = await watcherOf(shared);
    const killed = processes.find(({ child }) => child.pid === watcher) as Started;
    const other = processes.find((one) => one !== killed) as Started;
    killed.child.kill('SIGKILL');
    expect(await watcherOf(shared, watcher)).toBe(other.child.pid);
    answer.status = 204;
    // By now the hold may last for a minute.
    const [{ id }] = (await manage(other, 'GET', '/deliveries')).body.data;
    expect((await manage(other, 'POST', `/deliveries/${id}/resend`)).status).toBe(202);
    await eventually(() => expect(subjects()).toEqual([expect.any(String), expect.stringMatching(/Over after \d+ \w+: /)]));
    expect(await history(other)).toMatchObject([{ rule: 'endpoint_failing', state: 'resolved' }]);
  });

  const services = {
    PostgreSQL: { startIt: startPostgres, setting: 'DATABASE_URL', named: 'The store', rule: 'storage' },
    Redis: { startIt: startRedis, setting: 'REDIS_URL', named: 'The queue', rule: 'queue_down' },
  };

  test.each([
    ['PostgreSQL', 'killed'],
    ['PostgreSQL', 'hung'],
    ['Redis', 'killed'],
  ] as const)('%s is %s: one process says so, and says when it is back', async (service, how) => {
    const { startIt, setting, named, rule } = services[service];
    const server = await startIt();
    const { shared, first, subjects } = await alerted({ [setting]: server.url });
    await watcherOf(shared);
    // Its rounds tell it the channels, because nothing can be read when the store is away.
    await settledRounds(shared);
    if (how === 'killed') await server.kill();
    else server.hang();
    const begun = expect.stringMatching(`Critical: ${named} does not answer`);
    await eventually(() => expect(subjects()).toEqual([begun]));
    if (how === 'killed') await server.start();
    else server.resume();
    await eventually(() => expect(subjects()).toEqual([begun, expect.stringMatching(`Over after \\d+ \\w+: ${named}`)]));
    await eventually(async () =>
      expect(await history(first)).toMatchObject([
        { rule, state: 'resolved', messages: [{ status: 'sent' }, { status: 'sent' }] },
      ]),
    );
  });
});

/** Waits until the process that watches has renewed its lease often enough for two rounds to have ended (10 s each). */
async function settledRounds(shared: Environment): Promise<void> {
  const client = await connected(shared);
  const expiry = async () =>
    Number((await client.query(`select expires_at from passerelle.leases where name = 'alerts'`)).rows[0].expires_at);
  const from = await expiry();
  await eventually(async () => expect(await expiry()).toBeGreaterThan(from + 20_000));
}
