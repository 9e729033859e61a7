import { join } from 'node:path';
import { test } from 'vitest';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { checkEnd, productsOf, randomFrom, sellWithoutPause, unreliableReceiver } from './chaos.ts';
import { newDataDir, startProcess, until } from './process.ts';

const seed = 11;
const kills = 4;

/** Empties the queue's tables. No process may use the folder. */
async function wipeQueue(dataDir: string): Promise<void> {
  const pool = await PglitePool.open(join(dataDir, 'postgres'));
  const { rows } = await pool.query<{ name: string }>(
    "select 'bullmq.' || quote_ident(tablename) as name from pg_tables where schemaname = 'bullmq' and tablename not like '%migration%'",
  );
  await pool.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
  await pool.end();
}

test('killed at random moments of accept, fan-out and attempts, its queue wiped in between: every acknowledged sale arrives', async () => {
  const random = randomFrom(seed);
  const everyWebhook = await unreliableReceiver(random);
  const salesOnly = await unreliableReceiver(random);
  const dataDir = newDataDir();
  const environment = {
    DATA_DIR: dataDir,
    DURABILITY: 'disk',
    LOG_LEVEL: 'silent',
    WEBHOOK_DEADLINE_MS: '1500',
    WEBHOOK_RETRY_SECONDS: `0${',1'.repeat(25)}`,
  };
  let gateway = await startProcess(environment);
  const operator = gateway.greeting.operator.token;
  const endpoint = (url: string, events: string[] | null) =>
    gateway.call('POST', '/manage/v1/endpoints', { token: operator, body: { service: 'pos', url, events } });
  await endpoint(everyWebhook.url, null);
  await endpoint(salesOnly.url, ['sale.completed']);
  const account = gateway.greeting.pos.accounts?.find(({ plan }) => plan === 'enterprise');
  if (!account) throw new Error('no account');
  const { token } = (
    await gateway.call('POST', '/pos/api/auth', { body: { api_key: account.apiKey, api_secret: account.apiSecret } })
  ).body;
  const products = await productsOf(gateway.call, gateway.greeting.pos.stores?.[0] ?? '', token);

  const sellers = sellWithoutPause(() => gateway.call, account, products);
  for (let kill = 0; kill < kills; kill++) {
    const before = sellers.acknowledged.length;
    const more = 1 + Math.floor(random() * 40);
    await until(async () => sellers.acknowledged.length >= before + more);
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    if (random() < 0.5) await wipeQueue(dataDir);
    gateway = await startProcess(environment);
  }
  await sellers.stop();
  await checkEnd({
    what: `seed ${seed}: ${kills} kills`,
    gateway,
    operatorToken: operator,
    receivers: [everyWebhook, salesOnly],
    acknowledged: sellers.acknowledged,
  });
});
