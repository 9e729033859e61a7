import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { schema } from '../../gateway/store/migrations/index.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { spawnProcess, startProcess } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { startPostgres } from './private-services.ts';
import {
  connected,
  installation,
  jobsIn,
  manage,
  metricsOf,
  onScale,
  openShop,
  operatorToken,
  register,
  saleReferences,
  spawned,
  start,
  untilLedger,
} from './services.ts';

onScale('many processes', () => {
  test('six start at once on an empty database: each migration runs once, and all serve', async () => {
    const shared = await installation();
    const six = await Promise.all(Array.from({ length: 6 }, () => start(shared)));
    for (const { greeting } of six) expect((await fetch(`${greeting.url}/readyz`)).status).toBe(200);
    const client = await connected(shared);
    const { rows } = await client.query('select name from passerelle.kysely_migration order by name');
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(schema.migrations));
    // There is no demo data, and no demo credentials.
    const [first] = six;
    expect(first?.greeting).toEqual({
      url: first?.greeting.url,
      operator: { token: operatorToken },
      pos: { baseUrl: `${first?.greeting.url}/pos/api/v1` },
      cohesion: { baseUrl: `${first?.greeting.url}/cohesion/api/v1` },
    });
    if (first) expect((await manage(first, 'GET', '/pos/accounts')).body.data).toEqual([]);
  });

  test('limits hold over all processes together: two gateways, one account, the calls of one plan', async () => {
    const shared = await installation();
    const [one, other] = await Promise.all([start(shared, 'api'), start(shared, 'all')]);
    const { token } = await openShop(one, 'free');
    const read = (call: number) =>
      (call % 2 ? one : other).call('GET', '/pos/api/v1/inventory?store_id=STORE-1', { token }).then(({ status }) => status);
    const statuses = [await read(0)];
    statuses.push(...(await Promise.all(Array.from({ length: 129 }, (_, call) => read(call)))));
    expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([100, 30]);
    // Failed logins are counted together too: sixty over all processes.
    const guess = (call: number) =>
      (call % 2 ? one : other).call('POST', '/pos/api/auth', { body: { api_key: 'pk', api_secret: `guess ${call}` } });
    expect((await guess(0)).status).toBe(401);
    for (let call = 1; call < 60; call++) expect((await guess(call)).status).toBe(401);
    expect([(await guess(60)).status, (await guess(61)).status]).toEqual([429, 429]);
  });

  test('roles: an api serves calls and makes no deliveries; a worker delivers and serves only probes', async () => {
    const shared = await installation();
    const api = await start(shared, 'api');
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    const sale = await shop.sell(api);
    await untilLedger(api, { deliveries: { pending: 1 } });
    await eventually(async () => expect(await jobsIn(api, 'waiting')).toBe(1));
    expect(target.received).toEqual([]);

    const worker = await start(shared, 'worker');
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set([sale.body.data.reference])));
    const { data: listed } = (await manage(api, 'GET', '/processes')).body;
    const shown = ({ role, pid, running }: Record<string, unknown>) => `${role} ${pid} ${running}`;
    expect(listed.map(shown).sort()).toEqual([`api ${api.child.pid} true`, `worker ${worker.child.pid} true`]);
    const probe = async (path: string) => (await fetch(`${worker.greeting.url}${path}`)).status;
    expect(await Promise.all(['/healthz', '/readyz', '/metrics'].map(probe))).toEqual([200, 200, 200]);
    expect(await Promise.all(['/pos/api/v1/inventory', '/manage/v1/calls', '/docs'].map(probe))).toEqual([404, 404, 404]);
    const delivered = 'passerelle_deliveries_total{outcome="delivered"} 1';
    await eventually(async () => expect(await metricsOf(worker)).toContain(delivered));
  });

  test('the greeting shows the role, but not an OPERATOR_TOKEN', async () => {
    const shared = await installation();
    const api = spawned(shared, ['--role', 'api']);
    await eventually(() => expect(api.output().stdout).toContain('/manage/v1/pos/accounts'));
    expect(api.output().stdout).toMatch(/Role +api\n/);
    expect(api.output().stdout).toContain('the value of OPERATOR_TOKEN');
    expect(api.output().stdout).not.toContain(operatorToken);
    const { OPERATOR_TOKEN: _given, ...without } = shared;
    const derived = await startProcess(without);
    expect(derived.greeting.operator.token).toMatch(/^op_/);
  });
});

onScale('a start', () => {
  test('waits for a database that starts later', async () => {
    const postgres = await startPostgres();
    await postgres.kill();
    const starting = spawned(await installation({ DATABASE_URL: postgres.url }));
    await eventually(() => expect(starting.output().stderr).toContain('start.waits_for_postgresql'));
    await postgres.start();
    await eventually(() => expect(starting.output().stdout).toContain('"url"'));
  });

  test.each([
    [
      { REDIS_URL: 'redis://:hunter2@127.0.0.1:1', START_WAIT_SECONDS: '0' },
      /^passerelle: Redis did not answer within 0 s .*ECONNREFUSED/m,
    ],
    [
      { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/x', START_WAIT_SECONDS: '0' },
      /^passerelle: PostgreSQL did not answer within 0 s .*ECONNREFUSED/m,
    ],
    [{ SECRET_KEY: '' }, /^passerelle: SECRET_KEY is needed with DATABASE_URL/m],
  ])('wrong settings give one clear line without a password and exit code 2: %o', async (given, line) => {
    const refused = spawned(await installation({ ...given }));
    expect(await refused.exited).toBe(2);
    expect(refused.output().stderr).toMatch(line);
    expect(refused.output().stderr).not.toContain('hunter2');
  });

  test('another SECRET_KEY is refused in one line, until it takes the place of a lost one; then secrets are rotated', async () => {
    const shared = await installation();
    const other = { ...shared, SECRET_KEY: randomBytes(32).toString('hex') };
    const target = await receiver();
    const first = await start(shared);
    const endpoint = await register(first, target.url);
    const refused = spawned(other, ['--role', 'worker']);
    expect(await refused.exited).toBe(2);
    expect(refused.output().stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^passerelle: SECRET_KEY is not the master key of this database: .*--replace-key/),
    ]);
    const tooEarly = spawned(other, ['--replace-key']);
    expect([await tooEarly.exited, tooEarly.output().stderr]).toEqual([2, expect.stringContaining(`(pid ${first.child.pid})`)]);
    first.child.kill('SIGTERM');
    await first.exited;
    const replacement = spawned(other, ['--replace-key']);
    expect([await replacement.exited, replacement.output().stdout]).toEqual([0, expect.stringContaining('Rotate all')]);
    expect(await spawned(shared).exited).toBe(2);
    const second = await start(other);
    const rotated = await manage(second, 'POST', `/endpoints/${endpoint}/rotate-secret`, {});
    expect(rotated.status).toBe(200);
    await (await openShop(second)).sell(second);
    await eventually(() => expect(target.received).toHaveLength(1));
    const [got] = target.received;
    expect(verifySignature(got?.body ?? '', got?.headers ?? {}, rotated.body.data.secret).valid).toBe(true);
  });

  test('an unknown database is reported at once', async () => {
    const shared = await installation();
    const refused = spawnProcess({ ...shared, DATABASE_URL: `${shared.DATABASE_URL}-gone` }, []);
    expect(await refused.exited).toBe(2);
    expect(refused.output().stderr).toMatch(/^passerelle: PostgreSQL rejected DATABASE_URL: database .* does not exist/m);
  });
});
