import { expect, onTestFinished, test, vi } from 'vitest';
import { causesEn } from '../../gateway/base/causes/en.ts';
import { ManualClock } from '../../gateway/base/clock.ts';
import { mostAtOnce } from '../../gateway/http/call-queue.ts';
import { verdictTexts } from '../../gateway/manage/figures/verdict.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../gateway/store/port.ts';
import { readGuide } from '../docs/guide.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { buildTestApp } from '../helper.ts';
import { refuseRecords } from '../refuse-records.ts';
import { sold } from '../webhooks/harness.ts';
import { patientReceiver, receiver, receiverOn } from '../webhooks/receiver.ts';

/** The cases of the guide with their texts. Each test below causes one and compares the verdict with its text. */
const guide = new Map(
  [...readGuide('docs/operators/console.md').matchAll(/^\| [^|]+ \| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

interface Problem {
  case: string;
  cause: { case: string } | null;
  text: string;
  values: object;
  raw: object;
  severity: string;
  endpoints: { id: string }[];
  since: string | null;
  owed: number | null;
}

async function start({ settings = {}, store = new MemoryStore(), demo = false } = {}) {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 8, 53, 7));
  // Some receivers hold their answers for as long as a busy machine needs for the rest.
  const usual = { WEBHOOK_RETRY_SECONDS: '0,3600', WEBHOOK_DEADLINE_MS: '60000' };
  const gateway = await buildTestApp({ clock, demo, store, settings: { ...usual, ...settings } });
  const overview = async (period = 'hour') => (await gateway.manage('GET', `/overview?period=${period}`)).body.data;
  const problems = async (): Promise<Problem[]> => (await overview()).verdict.problems;
  const register = async (url: string, more: object = {}): Promise<string> => {
    const { body, text } = await gateway.manage('POST', '/endpoints', { service: 'pos', url, ...more });
    expect(body.data?.id, text).toBeDefined();
    return body.data.id;
  };
  const emit = async (count: number) => {
    await gateway.services.change(async (change) => {
      for (let number = 0; number < count; number++) change.emit(sold, { subject: null, data: { number } });
    });
  };
  const emitOneByOne = async (count: number) => {
    for (let number = 0; number < count; number++) {
      await emit(1);
      await gateway.settled();
    }
  };
  return { ...gateway, clock, overview, problems, register, emit, emitOneByOne };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Expects the case's text of the guide, with these values. Returns the problem. */
async function expectCase({ overview }: Started, name: string, values: Record<string, string | number | RegExp> = {}) {
  const template = guide.get(name) ?? `${name} is not in the guide`;
  const escaped = template.replaceAll(/[.()]/g, '\\$&');
  const text = escaped.replaceAll(/\{(\w+)\}/g, (_, value) => {
    const given = values[value];
    return given instanceof RegExp ? given.source : String(given ?? `no ${value} given`).replaceAll('.', '\\.');
  });
  const { verdict, endpoints } = await overview();
  const found = verdict.problems.find((problem: Problem) => (problem.cause?.case ?? problem.case) === name);
  expect(found?.text ?? JSON.stringify(verdict)).toMatch(new RegExp(`^${text}$`));
  expect(Object.keys(found?.raw ?? {})).toEqual(Object.keys(found?.values ?? {}));
  // The endpoints of the verdict are those of the table below it.
  const named = verdict.problems.flatMap((problem: Problem) => problem.endpoints.map(({ id }) => id));
  expect(endpoints.in_trouble.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(named));
  expect(endpoints.in_trouble.length === 0).toBe(named.length === 0);
  if (found.severity !== 'note')
    expect(verdict).toMatchObject({ text: verdict.problems[0].text, state: expect.not.stringMatching('ok') });
  return found as Problem;
}

async function expectWell({ overview }: Started) {
  const { verdict, endpoints } = await overview();
  expect(verdict).toMatchObject({ state: 'ok', problems: [], text: expect.stringMatching(/^All is well/) });
  expect(verdict).toMatchObject({ case: expect.stringMatching(/^(idle|only_calls|deliver)/), raw: { period: 'hour' } });
  expect([endpoints.in_trouble, endpoints.well]).toEqual([[], endpoints.total]);
}

const nameOf = (url: string) => new URL(url).host;

const refused = (url: string) => ({ host: nameOf(url), has: 'has refused the connection', since: /.{19} UTC/ });

/** A URL at which nothing listens. */
const deadUrl = async () => `http://127.0.0.1:${await freePort()}/hook`;

test('the guide has every case of one endpoint, with the text that the gateway uses', () => {
  const variants = /_(one|many)$|^(idle|only_calls|delivered|delivering)/;
  const texts = Object.entries(verdictTexts).filter(([name]) => !variants.test(name));
  // Parts between bars are left out if a value is not known; the guide shows all of them. A mixed failure is no case of its own.
  const causes = (['held', 'probing', 'blocked', 'failing', 'unsteady', 'gone', 'failing_for_days'] as const).map((name) => [
    name,
    causesEn.sentences[name].replace('|, last: {last}|', '|').replaceAll('|', ''),
  ]);
  expect(Object.fromEntries(guide)).toEqual(Object.fromEntries([...texts, ...causes]));
});

test('failing: one of four endpoints refuses connections, from its first failure over quiet minutes to its recovery', async () => {
  const gateway = await start();
  const { url, server } = await receiverOn(await freePort());
  for (let count = 0; count < 3; count++) await gateway.register((await receiver()).url);
  const id = await gateway.register(`${url}?key=secret`);
  await gateway.emitOneByOne(2);
  await expectWell(gateway);
  const { port } = new URL(url);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await gateway.clock.advance(70_000);

  // A single failure is named 5 s after it, because a success may follow.
  await gateway.emitOneByOne(1);
  const since = new Date(gateway.clock.now()).toISOString();
  await gateway.clock.advance(4999);
  expect(await gateway.problems()).toEqual([]);
  await gateway.clock.advance(1);
  const said = { ...refused(url), waiting: '1 delivery waits' };
  expect(await expectCase(gateway, 'failing', { ...said, failed: 1, attempts: 1 })).toMatchObject({
    severity: 'error',
    endpoints: [{ id }],
    since,
    owed: 1,
    cause: { case: 'failing', values: { failure: 'connection_refused', mixed: false, since, failed: 1, waiting: 1 } },
  });
  expect((await gateway.overview()).endpoints).toMatchObject({ total: 4, well: 3 });
  await gateway.emitOneByOne(2);
  const waiting = '3 deliveries wait';
  await expectCase(gateway, 'failing', { ...said, failed: 3, attempts: 3, waiting });

  // Between two retries nothing is attempted, and it is still down.
  await gateway.clock.advance(80_000);
  expect(await expectCase(gateway, 'failing', { ...said, failed: 3, attempts: 3, waiting })).toMatchObject({ since, owed: 3 });

  await receiverOn(Number(port));
  await gateway.clock.advance(3_600_000);
  await eventually(async () => {
    await gateway.settled();
    await gateway.clock.advance(60_000);
    expect((await gateway.overview()).deliveries.pending).toBe(0);
  });
  await expectWell(gateway);
});

test('failing: two failures without a success are named at once', async () => {
  const gateway = await start();
  const url = await deadUrl();
  await gateway.register(url);
  await gateway.emitOneByOne(2);
  await expectCase(gateway, 'failing', { ...refused(url), failed: 2, attempts: 2, waiting: '2 deliveries wait' });
});

test('a test event that fails counts like any attempt, but is no delivery that waits', async () => {
  const gateway = await start();
  const url = await deadUrl();
  const id = await gateway.register(url);
  await gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
  await gateway.settled();
  await gateway.clock.advance(5000);
  const [problem] = await gateway.problems();
  expect(problem).toMatchObject({ case: 'failing', owed: 0, text: expect.stringMatching(/ \(1 of 1\)\.$/) });
});

test('held: the circuit opens, and stays open between its test attempts', async () => {
  const gateway = await start();
  const { url } = await receiver((response) => response.writeHead(500).end());
  await gateway.register(url);
  await gateway.emitOneByOne(12);
  const said = { host: nameOf(url), has: 'has answered 500', since: /.{19} UTC/, waiting: '12 deliveries wait' };
  await expectCase(gateway, 'held', { ...said, failed: /1\d/, attempts: /1\d/, next: /at .{19} UTC/ });
  await gateway.clock.advance(80_000);
  await gateway.manage('GET', '/overview');
  await gateway.settled();
  await gateway.clock.advance(75_000);
  expect(await gateway.problems()).toMatchObject([{ case: expect.stringMatching(/^held|probing/), owed: 12 }]);
  await eventually(async () => {
    await gateway.settled();
    await gateway.clock.advance(71_000);
    await expectCase(gateway, 'probing', { ...said, failed: /\d+/, attempts: /\d+/ });
  });
});

test('many endpoints: they are counted, three are named, and the table shows twenty', async () => {
  const gateway = await start();
  for (let count = 0; count < 22; count++)
    await gateway.register((await receiver((response) => response.writeHead(500).end())).url);
  await gateway.emitOneByOne(2);
  const { verdict, endpoints } = await gateway.overview();
  expect(verdict.problems).toHaveLength(1);
  expect(verdict.text).toMatch(
    /^22 endpoints fail \(answered 500\): 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ \+ 19\.$/,
  );
  expect(verdict.problems[0].endpoints).toHaveLength(3);
  expect([endpoints.in_trouble.length, endpoints.well]).toEqual([20, 0]);
  // The order is the same at each reading: what fails longest comes first.
  const key = ({ id, trouble }: { id: string; trouble: { since: string } }) => `${trouble.since} ${id}`;
  expect(endpoints.in_trouble.map(key)).toEqual(endpoints.in_trouble.map(key).toSorted());
});

test('endpoints that fail for different reasons are different problems', async () => {
  const gateway = await start();
  for (const status of [500, 401, 500])
    await gateway.register((await receiver((response) => response.writeHead(status).end())).url);
  await gateway.register(await deadUrl());
  await gateway.emitOneByOne(2);
  expect((await gateway.problems()).map(({ text }) => text.replaceAll(/127[^ ,.]*\.0\.0\.1:\d+/g, 'HOST'))).toEqual(
    expect.arrayContaining([
      '2 endpoints fail (answered 500): HOST, HOST.',
      expect.stringMatching(/^HOST has answered 401 since .* UTC \(2 of 2\)\. 2 deliveries wait\.$/),
      expect.stringMatching(/^HOST has refused the connection since .* UTC \(2 of 2\)\. 2 deliveries wait\.$/),
    ]),
  );
});

test('disabled: a receiver that answers 410', async () => {
  const gateway = await start();
  const { url } = await receiver((response) => response.writeHead(410).end());
  await gateway.register(url);
  await gateway.emitOneByOne(1);
  await expectCase(gateway, 'gone', { host: nameOf(url) });
});

test('blocked: a dead letter blocks its key, while other keys succeed, until somebody skips it', async () => {
  const gateway = await start({ settings: { WEBHOOK_RETRY_SECONDS: '0' } });
  const { url } = await receiver((response, { body }) =>
    response.writeHead(/"number":13/.test(body.toString()) ? 500 : 204).end(),
  );
  const order = { ordered: true, order_by: 'subject', on_dead_letter: 'block' };
  const id = await gateway.register(url, order);
  const emitOf = async (subject: string) => {
    await gateway.services.change(async (change) =>
      change.emit(sold, { subject, data: { number: subject === 'store_dead' ? 13 : 1 } }),
    );
    await gateway.settled();
  };
  const died = gateway.clock.now();
  for (const store of ['store_dead', 'store_dead', 'store_dead', 'store_well']) await emitOf(store);
  await gateway.clock.advance(40_000);
  await emitOf('store_well');

  const since = new Date(died).toISOString();
  const cause = { case: 'blocked', values: { since, blocking: 1, waiting: 2 } };
  const values = { host: nameOf(url), since: /.{19} UTC/, blocking: '1 dead letter blocks them', waiting: '2 deliveries wait' };
  const problem = { case: 'failing', severity: 'error', since, cause, endpoints: [{ id }] };
  expect(await expectCase(gateway, 'blocked', values)).toMatchObject(problem);
  expect((await gateway.manage('GET', `/endpoints/${id}`)).body.data).toMatchObject({ cause, health: { state: 'ok' } });
  const list = (query: string) => gateway.manage('GET', `/deliveries?${query}`).then(({ body }) => body.data);
  const waits = { case: 'blocked', values: { since, blocking: 1, waiting: null } };
  const behind = await list('status=pending');
  expect(behind).toMatchObject([{ cause: waits }, { cause: waits }]);
  expect((await gateway.manage('GET', `/deliveries/${behind[0].id}`)).body.data).toMatchObject({ cause });
  expect((await gateway.manage('GET', '/endpoints')).body.data).toMatchObject([{ id, cause: { ...waits } }]);

  // A second endpoint: the two are one problem, whose reason is no failure of a receiver.
  const other = await receiver((response) => response.writeHead(500).end());
  await gateway.register(other.url, order);
  await emitOf('store_other');
  await gateway.clock.advance(10_000);
  const { verdict } = await gateway.overview();
  expect(verdict).toMatchObject({ case: 'failing_many', raw: { count: 2, reason: 'blocked' } });
  expect(verdict.text).toMatch(/^2 endpoints fail \(dead letters wait for a person\): /);

  for (let left = await list('blocking=true'); left.length > 0; left = await list('blocking=true')) {
    for (const one of left) await gateway.manage('POST', `/deliveries/${one.id}/skip`);
    await gateway.settled();
  }
  expect((await gateway.problems()).map(({ cause: of, case: name }) => of?.case ?? name)).not.toContain('blocked');
  expect((await gateway.manage('GET', `/endpoints/${id}`)).body.data.cause?.case).not.toBe('blocked');
});

test('unsteady: an endpoint that flaps, until 30 s after its last failure', async () => {
  const gateway = await start();
  let answers = 0;
  const { url } = await receiver((response) => response.writeHead(answers++ % 2 === 0 ? 500 : 200).end());
  await gateway.register(url);
  await gateway.emitOneByOne(2);
  await expectWell(gateway);
  await gateway.emitOneByOne(4);
  const values = { host: nameOf(url), has: 'has answered 500', failed: 3, attempts: 6 };
  expect(await expectCase(gateway, 'unsteady', values)).toMatchObject({ severity: 'warning', owed: 3 });
  await gateway.clock.advance(30_001);
  await expectCase(gateway, 'retrying', { count: 3 });
  expect(await gateway.problems()).toMatchObject([{ case: 'retrying', severity: 'warning' }]);
});

test.each([
  ['behind', {}, { median: /\d+(\.\d)? m?s/ }],
  ['behind_order', { ordered: true }, {}],
] as const)('%s: deliveries wait longer than 30 s for a slow receiver', async (name, more, values) => {
  const gateway = await start();
  const { url, waiting, answerAll } = await patientReceiver();
  await gateway.register(url, { max_in_flight: 1, ...more });
  await gateway.emit(8);
  for (let round = 0; round < 4; round++) {
    await eventually(() => expect(waiting).toHaveLength(1));
    // Less than the lease of an attempt.
    await gateway.clock.advance(8000);
    answerAll();
  }
  await eventually(() => expect(waiting).toHaveLength(1));
  await expectCase(gateway, name, { endpoint: nameOf(url), waiting: /\d/, ...values });
  await eventually(async () => {
    answerAll();
    await gateway.clock.advance(1000);
    expect((await gateway.overview()).deliveries.pending).toBe(0);
  });
  await expectWell(gateway);
});

test('behind_rate: more events than the endpoint may get', async () => {
  const gateway = await start();
  const { url, received } = await receiver();
  await gateway.register(url, { max_per_second: 0.1 });
  await gateway.emit(10);
  await eventually(async () => {
    await gateway.settled();
    await gateway.clock.advance(5000);
    expect(received.length).toBeGreaterThan(3);
  });
  await expectCase(gateway, 'behind_rate', { endpoint: nameOf(url), rate: '0.1', waiting: /\d/ });
});

test('behind_quiet: deliveries wait, and no attempt is made', async () => {
  const gateway = await start();
  const { url, waiting, answerAll } = await patientReceiver();
  await gateway.register(url, { max_in_flight: 1 });
  await gateway.emit(3);
  await eventually(() => expect(waiting).toHaveLength(1));
  await eventually(async () => expect((await gateway.overview()).deliveries.parked).toBe(2));
  // The place at the endpoint is lost to a process that hangs.
  await gateway.store.update('deliveries', { parked: true }, { next_attempt_at: gateway.clock.now() - 30_000 });
  await expectCase(gateway, 'behind_quiet', { endpoint: nameOf(url), waiting: 2 });
  await eventually(async () => {
    answerAll();
    await gateway.clock.advance(1000);
    expect((await gateway.overview()).deliveries.pending).toBe(0);
  });
});

test('paused: a note below "All is well"', async () => {
  const gateway = await start();
  const { url } = await receiver();
  const id = await gateway.register(url);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await gateway.emitOneByOne(2);
  expect(await expectCase(gateway, 'paused', { endpoint: nameOf(url) })).toMatchObject({ severity: 'note', owed: 2 });
  expect((await gateway.overview()).verdict).toMatchObject({ state: 'ok', text: expect.stringMatching(/^All is well/) });
});

test('ledger_unbalanced: a delivery vanishes', async () => {
  const gateway = await start();
  await gateway.register((await receiver()).url);
  await gateway.emitOneByOne(3);
  const [one] = await gateway.store.list('deliveries');
  await gateway.store.remove('deliveries', { id: one?.id ?? '' });
  await eventually(async () => {
    await gateway.clock.advance(15_000);
    await expectCase(gateway, 'ledger_unbalanced', { missing: /[12]/, surplus: /[01]/ });
  });
});

test('dead_letters, calls_failed and limited: the counts of the period', async () => {
  const store = new MemoryStore();
  const settings = { WEBHOOK_RETRY_SECONDS: '0', OPERATION_LIMITS: 'readMe=1/h' };
  const gateway = await start({ store, demo: true, settings });
  const period = 'in the last hour';
  await gateway.register((await receiver((response) => response.writeHead(500).end())).url);
  await gateway.emitOneByOne(2);
  await expectCase(gateway, 'dead_letters', { count: 2, period });

  const { list } = store;
  store.list = () => Promise.reject(new Error('a fault'));
  const token = gateway.cohesionToken();
  const fail = () => gateway.call('GET', '/cohesion/api/v1/indicateurs', { token });
  const replies = [await fail(), await fail()];
  // The console's own calls are not counted.
  await gateway.manage('GET', '/events');
  store.list = list;
  expect(replies.map(({ status }) => status)).toEqual([500, 500]);
  await expectCase(gateway, 'calls_failed', { count: 2, period, overload: '' });

  for (let call = 0; call < 3; call++) await gateway.call('GET', '/cohesion/api/v1/me', { token });
  expect(await expectCase(gateway, 'limited', { count: 2, period })).toMatchObject({ severity: 'note' });
});

test('overloaded: more calls than can be handled', async () => {
  const store = new MemoryStore();
  const gateway = await start({ store, demo: true, settings: { MAX_CALL_WAIT_MS: '1' } });
  const token = gateway.cohesionToken();
  const { list } = store;
  const { promise: held, resolve: release } = Promise.withResolvers<never[]>();
  store.list = () => held;
  const calls = Array.from({ length: mostAtOnce + 2 }, () => gateway.call('GET', '/cohesion/api/v1/indicateurs', { token }));
  expect((await Promise.all(calls.slice(-2))).map(({ status }) => status)).toEqual([503, 503]);
  store.list = list;
  release([]);
  await Promise.all(calls);
  const period = 'in the last hour';
  const overload = ', 2 of them because more came than the gateway can handle';
  expect(await expectCase(gateway, 'calls_failed', { count: 2, period, overload })).toMatchObject({
    severity: 'error',
    raw: { overload: 2 },
  });
  expect((await gateway.call('GET', '/metrics')).text).toContain('passerelle_calls_overloaded_total{api="cohesion"} 2');
});

test('records_lost: the store refuses records', async () => {
  const gateway = await start();
  refuseRecords(gateway.store);
  await gateway.manage('GET', '/overview');
  await gateway.manage('GET', '/overview');
  await expectCase(gateway, 'records_lost', { count: /\d+/ });
});

test('late: due deliveries are not attempted', async () => {
  const gateway = await start();
  await gateway.register((await receiver()).url);
  await gateway.emitOneByOne(2);
  await gateway.store.update('deliveries', {}, { status: 'pending', next_attempt_at: gateway.clock.now() - 30_001 });
  // Two attempts in the 67 s since 08:52.
  expect(await expectCase(gateway, 'late', { count: 2, time: '67 s' })).toMatchObject({ severity: 'warning' });
  await gateway.store.remove('tallies', { kind: 'attempt' });
  await expectCase(gateway, 'late', { count: 2, time: '∞' });
});

test("an overview says how far the machine's clock is off", async () => {
  const gateway = await start();
  Object.assign(gateway.clock, { skewMs: () => 30_000 });
  expect((await gateway.overview()).clock).toEqual({ ahead_seconds: 30, wrong: false });
  Object.assign(gateway.clock, { skewMs: () => -3_600_000 });
  expect((await gateway.overview()).clock).toEqual({ ahead_seconds: -3600, wrong: true });
});

test('an overview whose query takes too long says so, and what to do; a store that is away is another refusal', async () => {
  const store = new MemoryStore();
  const { manage } = await start({ store });
  const { setTimeout: real } = globalThis;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  // The time limit passes at once.
  timers.mockImplementation(((task: () => void, ms: number) => real(task, ms === 8000 ? 0 : ms)) as typeof setTimeout);
  const summarize = vi.spyOn(store, 'summarize').mockReturnValue(new Promise(() => {}));
  const slow = await manage('GET', '/overview');
  expect([slow.status, slow.headers['retry-after'], slow.body.error]).toMatchObject([
    503,
    '30',
    { code: 'query_timeout', message: expect.stringMatching(/^The query took longer than 8 s\. .*shorter period/) },
  ]);
  summarize.mockRejectedValue(new StoreUnavailable('away'));
  expect((await manage('GET', '/overview')).body.error).toMatchObject({ code: 'unavailable' });
  summarize.mockRestore();
});
