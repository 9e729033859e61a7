import { expect, test } from 'vitest';
import { inventoryLow } from '../../gateway/api/pos/events.ts';
import type { AlertRuleName } from '../../gateway/store/tables/alerts.ts';
import { eventually } from '../eventually.ts';
import { makeAccount, signedIn } from '../profile/harness.ts';
import { refuseRecords } from '../refuse-records.ts';
import { receiver } from '../webhooks/receiver.ts';
import { type Alerted, type AlertedOptions, alertedGateway, emit } from './harness.ts';

interface Case {
  rule: AlertRuleName;
  options?: AlertedOptions;
  /** Breaks something. Returns how to repair it. */
  cause(gateway: Alerted): Promise<() => unknown>;
  opened: RegExp;
  over: RegExp;
  page: RegExp;
}

/** An endpoint whose receiver answers as told, and `tests` deliveries to it. */
async function endpoint(gateway: Alerted, status: number, tests: number): Promise<{ id: string; answer: { status: number } }> {
  const answer = { status };
  const { url } = await receiver((response) => response.writeHead(answer.status).end());
  const made = await gateway.manage('POST', '/endpoints', {
    service: 'pos',
    url: `${url}?token=secret-in-url`,
    description: 'Shop\n1',
  });
  const { id } = made.body.data;
  await sendTests(gateway, id, tests);
  return { id, answer };
}

async function sendTests(gateway: Alerted, id: string, tests: number): Promise<void> {
  for (let sent = 0; sent < tests; sent++)
    await gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
  await gateway.settled();
}

const passes = (minutes: number) => (gateway: Alerted) => gateway.clock.advance(minutes * 60_000);

/** How each rule is caused for real, and what ends it. */
const cases: Record<string, Case> = {
  'a receiver that fails': {
    rule: 'endpoint_failing',
    async cause(gateway) {
      const { id, answer } = await endpoint(gateway, 503, 1);
      return async () => {
        answer.status = 204;
        await sendTests(gateway, id, 1);
      };
    },
    opened:
      /Warning: “Shop 1” at 127\.0\.0\.1:\d+ has answered 503 since .* UTC \(\d of \d\)\. Its deliveries wait\. None is lost\. \(ep_\w+\)/,
    over: /“Shop 1” at 127\.0\.0\.1:\d+ answers again\. .*\(ep_\w+\)/,
    page: /^\/endpoints\/ep_\w+$/,
  },
  'a receiver that is gone': {
    rule: 'endpoint_disabled',
    async cause(gateway) {
      const { id } = await endpoint(gateway, 410, 1);
      return () => gateway.manage('PATCH', `/endpoints/${id}`, { active: true });
    },
    opened:
      /: Its receiver answered 410 Gone, so the gateway disabled it\. Deliveries are skipped until it is activated\. \(ep_\w+\)/,
    over: /“Shop 1” at 127\.0\.0\.1:\d+ is active again, and its deliveries are tried\. \(ep_\w+\)/,
    page: /^\/endpoints\/ep_\w+$/,
  },
  'dead letters': {
    rule: 'dead_letters',
    async cause(gateway) {
      const { id, answer } = await endpoint(gateway, 500, 0);
      await emit(gateway, 2);
      return async () => {
        // It is over when both are sent again, though both failed within the hour.
        answer.status = 204;
        const dead = await gateway.store.list('deliveries', { where: { endpoint_id: id, status: 'failed' } });
        expect(dead).toHaveLength(2);
        for (const delivery of dead) {
          await gateway.rounds(() => {});
          expect((await gateway.manage('GET', '/alerts?rule=dead_letters&state=open')).body.data).toHaveLength(1);
          await gateway.manage('POST', `/deliveries/${delivery.id}/resend`);
          await gateway.settled();
        }
      };
    },
    opened: / has answered \d+.*\. 2 deliveries failed for good\. Send them again when its receiver works\. \(ep_\w+\)/,
    over: /“Shop 1” at 127\.0\.0\.1:\d+ has no dead letter left: all were sent again, skipped by hand, or deleted by retention\. \(ep_\w+\)/,
    page: /^\/deliveries\?endpoint_id=ep_\w+&status=failed$/,
  },
  'a queue that does not answer': {
    rule: 'queue_down',
    async cause({ broken }) {
      broken.queue = true;
      return () => {
        broken.queue = false;
      };
    },
    opened: /Critical: The queue does not answer\./,
    over: /The queue answers again\./,
    page: /^\/$/,
  },
  'calls that are not recorded': {
    rule: 'records_lost',
    async cause(gateway) {
      const accept = refuseRecords(gateway.store);
      await gateway.manage('GET', '/overview');
      return () => {
        accept();
        return passes(11)(gateway);
      };
    },
    opened: /Records are lost: \d+ calls were served but not recorded, and the ledger misses 0 rows\./,
    over: /Calls are recorded again, and the ledger misses nothing\./,
    page: /^\/calls$/,
  },
  'a ledger that misses a row': {
    rule: 'records_lost',
    async cause(gateway) {
      await endpoint(gateway, 204, 1);
      const [row] = await gateway.store.list('deliveries');
      await gateway.store.remove('deliveries', { id: row?.id ?? '' });
      return () => gateway.store.append('deliveries', [row as NonNullable<typeof row>]);
    },
    opened: /Records are lost: 0 calls were served but not recorded, and the ledger misses 1 row\./,
    over: /the ledger misses nothing\./,
    page: /^\/$/,
  },
  'a disk that is nearly full': {
    rule: 'storage',
    async cause({ broken }) {
      broken.freeBytes = 100 * 1024 * 1024;
      return () => {
        broken.freeBytes = 2 ** 40;
      };
    },
    opened: /The disk with the database has 100 MB left\./,
    over: /The disk with the database has enough space again\./,
    page: /^\/$/,
  },
  'a store that does not answer': {
    rule: 'storage',
    async cause(gateway) {
      // The process that watches knows its channels from the round before.
      await gateway.rounds(() => {});
      gateway.broken.store = true;
      return () => {
        gateway.broken.store = false;
      };
    },
    opened: /The store does not answer, or refuses writes\./,
    over: /The store answers again\./,
    page: /^\/$/,
  },
};

test.each(Object.keys(cases))('%s: cause and end reach a mail server and an incoming webhook, once each', async (name) => {
  const { rule, options, cause, opened, over, page } = cases[name] as Case;
  const gateway = await alertedGateway(options);
  const said = () => [
    gateway.mails.map(({ body }) => body.replaceAll(/\s+/g, ' ')).join(' '),
    gateway.posts.map(({ body }) => JSON.parse(body).text as string).join(' '),
  ];
  const repair = await cause(gateway);
  await gateway.rounds(() => expect(said()).toEqual([expect.stringMatching(opened), expect.stringMatching(opened)]));
  expect(gateway.mails[0]).toMatchObject({ from: 'gateway@example.org', to: ['awa@example.org', 'kofi@example.org'] });
  await repair();
  await gateway.rounds(() => expect(said()).toEqual([expect.stringMatching(over), expect.stringMatching(over)]));
  const everything = JSON.stringify([gateway.mails, gateway.posts]);
  expect(everything).toMatch(/Over after \d+ (s|min|h|days): /);
  expect(everything).not.toContain('secret-in-url');

  // A message is recorded after its server has answered.
  const alert = await eventually(async () => {
    const { data } = (await gateway.manage('GET', `/alerts?rule=${rule}`)).body;
    expect(data).toHaveLength(1);
    const sent = data[0].messages.map((one: Record<string, unknown>) => [one.channel, one.kind, one.status, one.answer]);
    expect(sent.sort()).toEqual([
      ['Chat', 'opened', 'sent', '200 ok'],
      ['Chat', 'resolved', 'sent', '200 ok'],
      ['On call', 'opened', 'sent', expect.stringMatching(/^250 /)],
      ['On call', 'resolved', 'sent', expect.stringMatching(/^250 /)],
    ]);
    return data[0];
  });
  expect(alert).toMatchObject({ rule, state: 'resolved' });
  expect(alert.page).toMatch(page);
  expect(said()[0]).toContain(`https://gateway.example.org/console${alert.page}`);
});

test('dead letters that nobody sends again keep their alert open when their hour is over', async () => {
  const gateway = await alertedGateway();
  await endpoint(gateway, 500, 0);
  await emit(gateway, 2);
  const open = async () => (await gateway.manage('GET', '/alerts?rule=dead_letters&state=open')).body.data;
  await gateway.rounds(async () => expect(await open()).toHaveLength(1));
  gateway.clock.leap(61 * 60_000);
  await gateway.rounds(() => {});
  expect(await open()).toHaveLength(1);
});

test('a dead letter that blocks opens an alert, and leads to what blocks, until it is skipped', async () => {
  const gateway = await alertedGateway();
  const { url } = await receiver((response) => response.writeHead(500).end());
  const order = { ordered: true, on_dead_letter: 'block' };
  const { id } = (await gateway.manage('POST', '/endpoints', { service: 'pos', url, ...order })).body.data;
  await emit(gateway, 3);
  const alerts = async () => (await gateway.manage('GET', '/alerts?rule=dead_letters&state=open')).body.data;
  const message = expect.stringMatching(
    /^Deliveries to 127\.0\.0\.1:\d+ wait for a person since .* UTC: 1 dead letter blocks them\. 2 deliveries wait\. Resend what blocks, or skip it\. /,
  );
  const page = `/deliveries?endpoint_id=${id}&blocking=true`;
  await gateway.rounds(async () => expect(await alerts()).toMatchObject([{ message, page, cause: { case: 'blocked' } }]));
  // Those behind it fail too, and are skipped.
  await gateway.rounds(async () => {
    const { data } = (await gateway.manage('GET', '/deliveries?blocking=true')).body;
    for (const one of data) await gateway.manage('POST', `/deliveries/${one.id}/skip`);
    expect(await alerts()).toEqual([]);
  });
  expect((await gateway.manage('GET', '/deliveries?status=failed')).body.data).toHaveLength(3);
});

test('an alert about an endpoint of a partner names the partner, in the list, in the mail and in the chat', async () => {
  const gateway = await alertedGateway();
  const account = await makeAccount(gateway, { name: 'Boutique\nAwa <x>' });
  const owner = `account:${account.id}`;
  const { url } = await receiver((response) => response.writeHead(500).end());
  const own = (await gateway.manage('POST', '/endpoints', { service: 'pos', url, owner, active: true })).body.data.id;
  const { id: operators } = await endpoint(gateway, 500, 0);
  await gateway.services.change(async (change) => {
    change.emit(inventoryLow, { subject: 'store_1', data: inventoryLow.example });
  });
  await gateway.settled();
  const listed = async (query = '') => (await gateway.manage('GET', `/alerts?rule=dead_letters${query}`)).body.data;
  await gateway.rounds(async () => expect(await listed()).toHaveLength(2));
  await gateway.rounds(() => expect(gateway.mails.length).toBeGreaterThan(0));
  await gateway.rounds(() => expect(gateway.posts.length).toBeGreaterThan(0));

  const nobody = { id: null, kind: null, name: null };
  const about = { id: owner, kind: 'account', name: 'Boutique\nAwa <x>' };
  const rows = new Map((await listed()).map((one: { subject: string }) => [one.subject, one]));
  expect(rows.get(own)).toMatchObject({ about });
  expect(rows.get(operators)).toMatchObject({ about: nobody });
  expect(await listed(`&owner=${owner}`)).toMatchObject([{ subject: own }]);
  const lines = gateway.mails.map(({ body }) => body).join('\n');
  expect(lines).toContain(`Warning, Boutique Awa <x> (${owner}): 127.0.0.1:`);
  expect(lines).toMatch(/Warning: “Shop 1” at/);
  expect(gateway.posts.map(({ body }) => body).join()).toContain(`Warning, Boutique Awa &lt;x&gt; (${owner}): `);

  // A later message has the name of its time, and so has the list. The partner sees the alert, and not who was told.
  expect((await gateway.manage('PATCH', `/pos/accounts/${account.id}`, { name: 'Chez Awa' })).status).toBe(200);
  expect(await listed(`&owner=${owner}`)).toMatchObject([{ about: { id: owner, name: 'Chez Awa' } }]);
  const call = await signedIn(gateway, account.keys);
  expect((await call('GET', '/alerts/messages')).body.data).toMatchObject([{ subject: own, messages: [] }]);
  await gateway.manage('DELETE', `/endpoints/${own}`);
  await gateway.rounds(() =>
    expect(gateway.mails.map(({ body }) => body).join()).toMatch(
      /Over after \d+ (s|min), Chez Awa \(account:\w+\): [^\n]* is deleted\./,
    ),
  );
});

test('tests that fail are no dead letters, and an owner who sets up a receiver wakes nobody', async () => {
  const gateway = await alertedGateway();
  const { id: tested } = await endpoint(gateway, 500, 3);
  const { keys } = await makeAccount(gateway);
  const call = await signedIn(gateway, keys);
  const answer = { status: 500 };
  const { url } = await receiver((response) => response.writeHead(answer.status).end());
  const own = (await call('POST', '/endpoints', { url })).body.data.id;
  const verify = async () => (await call('POST', `/endpoints/${own}/verify`)).body.data.verified;
  expect([await verify(), await verify(), await verify()]).toEqual([false, false, false]);
  answer.status = 204;
  expect(await verify()).toBe(true);
  await gateway.settled();
  answer.status = 500;
  for (let sent = 0; sent < 3; sent++)
    expect((await call('POST', `/endpoints/${own}/test`, { event_type: 'sale.completed' })).status).toBe(201);
  await gateway.settled();
  expect(await gateway.store.count('deliveries', { status: 'failed' })).toBe(9);

  const overview = (await gateway.manage('GET', '/overview')).body.data;
  expect(overview.deliveries).toMatchObject({ failed: 0, dead_letters: 0 });
  const names = overview.verdict.problems.map((problem: { case: string }) => problem.case);
  expect(names).not.toContain('dead_letters');
  const figures = (await gateway.manage('GET', `/endpoints/figures?ids=${own},${tested}`)).body.data;
  expect(figures).toMatchObject([
    { endpoint_id: own, attempts: 3, failed: 3, dead: 0 },
    { endpoint_id: tested, attempts: 3, failed: 3, dead: 0 },
  ]);
  expect((await gateway.call('GET', '/metrics')).text).not.toContain('passerelle_deliveries_total{outcome="failed"}');

  // Every rule was checked when this one has opened. A circuit that tests have opened is told, as any other.
  gateway.broken.freeBytes = 1024;
  const rules = async () => (await gateway.manage('GET', '/alerts')).body.data.map(({ rule }: { rule: string }) => rule);
  await gateway.rounds(async () => expect(await rules()).toContain('storage'));
  expect(await rules()).not.toContain('dead_letters');
});
