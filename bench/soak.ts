/** Runs a mixed load with faults for hours on the scale tier: `npm run soak -- --help`. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { parseDuration } from '../gateway/base/duration.ts';
import { openAccount } from '../test/e2e/account.ts';
import { randomFrom } from '../test/e2e/chaos.ts';
import { type AtEnd, type Started, startProcess } from '../test/e2e/process.ts';
import { type Checked, HistoryCheck } from '../test/history/check.ts';
import { type Service, startPostgres, startRedis } from '../test/scale/private-services.ts';
import { pause } from './ask.ts';
import { residentMb, tell } from './measure.ts';

const help = `Usage: npm run soak -- [--for 8h] [--rate 10] [--fault-every 2m] [--seed 1] [--out bench/soak]

Runs two gateways, two workers, a PostgreSQL and a Redis of its own, and four receivers. Sales and reads go to
both gateways at a steady rate. Every few minutes something is killed, paused, hung or wiped. The same seed
causes the same faults in the same order; --fault-every 0s causes none. --rate: sales a second, and as many reads.

Writes samples.jsonl (memory, size and lag, every 10 s), history.jsonl and
result.json. Exit codes: 0 the history breaks no rule and the ledger balances, 1 otherwise, 2 wrong options.`;

/** The longest wait for what is owed after the load. The schedule's longest delay is 30 seconds. */
const drainMs = 10 * 60_000;

/** `rate` is in sales a second. Ends the process if an option is wrong, or after --help. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      for: { type: 'string', default: '8h' },
      rate: { type: 'string', default: '10' },
      'fault-every': { type: 'string', default: '2m' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: join(import.meta.dirname, 'soak') },
      help: { type: 'boolean', default: false },
    },
  });
  const forMs = parseDuration(values.for);
  const faultEveryMs = parseDuration(values['fault-every']);
  const rate = Number(values.rate);
  const seed = Number(values.seed);
  const isWrong = forMs === undefined || faultEveryMs === undefined || !(rate > 0) || !Number.isInteger(seed);
  if (values.help || isWrong) {
    process.stdout.write(`${help}\n`);
    process.exit(values.help ? 0 : 2);
  }
  return { forMs, rate, faultEveryMs, seed, out: values.out };
}

type Role = 'api' | 'worker';

/** A process of the gateway that is replaced while the load goes on. */
interface Member {
  name: string;
  role: Role;
  process: Started;
}

interface Installation {
  postgres: Service;
  redis: Service;
  members: Member[];
  operatorToken: string;
  startAs(role: Role): Promise<Started>;
}

/** Thirty attempts within 14 minutes: an outage of a receiver never exhausts them. */
const retrySeconds = ['0', '2', '5', '10', '20', ...Array.from({ length: 25 }, () => '30')].join(',');

async function startInstallation(atEnd: AtEnd): Promise<Installation> {
  const postgres = await startPostgres({ atEnd });
  const redis = await startRedis({ kept: true, atEnd });
  const operatorToken = randomBytes(16).toString('hex');
  const settings = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_LOOPBACK: 'on',
    WEBHOOK_DEADLINE_MS: '5000',
    WEBHOOK_RETRY_SECONDS: retrySeconds,
    LOG_LEVEL: 'silent',
    // A soak of two hours shows whether the database stops growing.
    CALL_RETENTION_HOURS: '1',
    ATTEMPT_RETENTION_HOURS: '1',
    DELIVERY_RETENTION_HOURS: '1',
  };
  const startAs = (role: Role) => startProcess({ ...settings, ROLE: role }, ['--json'], atEnd);
  const members: Member[] = [];
  for (const role of ['api', 'worker'] as const)
    for (const number of [1, 2]) members.push({ name: `${role} ${number}`, role, process: await startAs(role) });
  return { postgres, redis, members, operatorToken, startAs };
}

type WriteLine = (line: object) => void;

/** Empties a file of JSON lines. In the history a sale is named by its id, and an endpoint by its receiver. */
function startLines(file: string): WriteLine {
  writeFileSync(file, '');
  return (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** What a receiver does, and the settings of its endpoint. */
interface Plan {
  name: string;
  /** The share of requests that get no answer, a reset or a 503, from 0 to 1. */
  unreliable: number;
  answerAfterMs: number;
  endpoint: { max_in_flight?: number; ordered?: boolean };
}

const plans: readonly Plan[] = [
  { name: 'healthy', unreliable: 0, answerAfterMs: 0, endpoint: {} },
  { name: 'ordered', unreliable: 0, answerAfterMs: 0, endpoint: { ordered: true } },
  { name: 'at most 3 at once', unreliable: 0, answerAfterMs: 30, endpoint: { max_in_flight: 3 } },
  { name: 'unreliable', unreliable: 0.05, answerAfterMs: 0, endpoint: {} },
];

/** `down` answers 503, as a proxy does whose service is away. */
type Mode = 'healthy' | 'down' | 'silent';

class Receiver {
  readonly plan: Plan;
  mode: Mode = 'healthy';
  /** Acknowledged sales whose event is not accepted yet, with the time of the acknowledgement; oldest first. */
  readonly owed = new Map<string, number>();
  readonly #accepted = new Set<string>();
  readonly #random: () => number;
  readonly #write: WriteLine;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  constructor(plan: Plan, random: () => number, write: WriteLine) {
    this.plan = plan;
    this.#random = random;
    this.#write = write;
  }

  /** Listens, and creates its endpoint. */
  async start({ members, operatorToken }: Installation, atEnd: AtEnd): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    atEnd(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
    const body = { service: 'pos', url, events: ['sale.completed'], ...this.plan.endpoint };
    const given = { token: operatorToken, body };
    const made = await members[0]?.process.call('POST', '/manage/v1/endpoints', given);
    if (made?.status !== 201) throw new Error(`The endpoint was refused: ${JSON.stringify(made?.body)}`);
    const { ordered = false } = this.plan.endpoint;
    const max_in_flight = ordered ? 1 : this.plan.endpoint.max_in_flight;
    this.#write({ kind: 'endpoint', endpoint: this.plan.name, ordered, max_in_flight, within_ms: drainMs });
  }

  /** Notes that a sale was acknowledged. Its webhook may arrive before the reply. */
  owe(saleId: string): void {
    if (!this.#accepted.has(saleId)) this.owed.set(saleId, Date.now());
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const event: string = JSON.parse(body.toString()).data.id;
    response.once('close', () => {
      const digest = createHash('sha256').update(body).digest('base64');
      const status = response.writableEnded ? response.statusCode : undefined;
      const sequence = request.headers['webhook-id'];
      const ended = Date.now();
      this.#write({ kind: 'received', event, endpoint: this.plan.name, at, ended, status, digest, sequence });
    });
    const { unreliable, answerAfterMs } = this.plan;
    const draw = this.#random();
    if (this.mode === 'silent' || draw < unreliable / 3) return;
    if (draw < (unreliable * 2) / 3) return void response.destroy();
    if (this.mode === 'down' || draw < unreliable) return void response.writeHead(503).end();
    if (answerAfterMs > 0) await pause(answerAfterMs);
    this.#accepted.add(event);
    this.owed.delete(event);
    response.end();
  }
}

interface Load {
  acknowledged: number;
  /** Calls with an error, and calls without a reply. */
  refused: number;
  failed: number;
  stop(): Promise<void>;
}

/** Makes `perSecond` sales and as many reads each second. A sale without a reply is owed to nobody. */
async function startLoad(installation: Installation, receivers: readonly Receiver[], write: WriteLine, perSecond: number) {
  const { operatorToken } = installation;
  const gateways = installation.members.filter(({ role }) => role === 'api');
  const account = await openAccount((gateways[0] as Member).process.call, operatorToken);
  let { token } = account;
  let turn = 0;
  const call = async (...given: Parameters<Started['call']>) => {
    const gateway = gateways[turn++ % gateways.length] as Member;
    const reply = await gateway.process.call(...given);
    if (reply.status >= 400) load.refused += 1;
    return reply;
  };
  const sell = async () => {
    if (token === '') token = (await call('POST', '/pos/api/auth', { body: account.credentials })).body.token ?? '';
    const reply = await call('POST', '/pos/api/v1/sales', { token, body: account.nextSale() });
    if (reply.status === 401) token = '';
    if (reply.status !== 201) return;
    const { id } = reply.body.data;
    load.acknowledged += 1;
    write({ kind: 'acknowledged', event: id, at: Date.now() });
    for (const receiver of receivers) receiver.owe(id);
  };
  let reads = 0;
  /** In turns: a partner's read, and lists of an operator. */
  const read = async () => {
    const lists = ['/manage/v1/calls?limit=20', '/manage/v1/deliveries?status=pending&limit=20'];
    const list = lists[reads++ % 3];
    if (list === undefined) await call('GET', '/pos/api/v1/inventory?store_id=STORE-1', { token });
    else await call('GET', list, { token: operatorToken });
  };
  let underWay = 0;
  const run = async (work: () => Promise<void>) => {
    underWay += 1;
    await work().catch(() => {
      load.failed += 1;
    });
    underWay -= 1;
  };
  const timer = setInterval(() => {
    // While a gateway hangs, waiting calls must not use all memory of this process.
    if (underWay > 50 * perSecond) return;
    void run(sell);
    void run(read);
  }, 1000 / perSecond);
  const load: Load = {
    acknowledged: 0,
    refused: 0,
    failed: 0,
    async stop() {
      clearInterval(timer);
      while (underWay > 0) await pause(100);
    },
  };
  return load;
}

type Fault = [name: string, cause: () => Promise<void>];

/** Returns what can go wrong. Each heals itself before its promise resolves. */
function faultsOn(installation: Installation, receivers: readonly Receiver[], random: () => number): Fault[] {
  const { postgres, redis, members } = installation;
  const any = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const anyOf = (role: Role) => any(members.filter((member) => member.role === role));
  const end = async (role: Role, signal: 'SIGKILL' | 'SIGTERM') => {
    const member = anyOf(role);
    member.process.child.kill(signal);
    await member.process.exited;
    member.process = await installation.startAs(role);
  };
  const suspend = async (role: Role) => {
    const { child } = anyOf(role).process;
    child.kill('SIGSTOP');
    await pause(20_000);
    child.kill('SIGCONT');
  };
  const outage = async (mode: Mode) => {
    const receiver = any(receivers);
    receiver.mode = mode;
    await pause(60_000);
    receiver.mode = 'healthy';
  };
  const without = async (stop: () => unknown, start: () => unknown) => {
    await stop();
    await pause(10_000);
    await start();
  };
  const wipeRedis = async () => {
    const client = new Redis(redis.url);
    await client.flushall().finally(() => client.disconnect());
  };
  return [
    ['gateway killed', () => end('api', 'SIGKILL')],
    ['gateway restarted', () => end('api', 'SIGTERM')],
    ['gateway paused', () => suspend('api')],
    ['worker killed', () => end('worker', 'SIGKILL')],
    ['worker restarted', () => end('worker', 'SIGTERM')],
    ['worker paused', () => suspend('worker')],
    ['Redis wiped', wipeRedis],
    ['Redis down', () => without(redis.kill, redis.start)],
    ['Redis hung', () => without(redis.hang, redis.resume)],
    ['PostgreSQL down', () => without(postgres.kill, postgres.start)],
    ['PostgreSQL hung', () => without(postgres.hang, postgres.resume)],
    ['receiver down', () => outage('down')],
    ['receiver silent', () => outage('silent')],
  ];
}

/** What may grow or lag. Throws if PostgreSQL is away or a process has just been killed. */
async function takeSample({ postgres, members }: Installation, receivers: readonly Receiver[], load: Load): Promise<object> {
  const memoryMb: Record<string, number> = {};
  for (const { name, process } of members) memoryMb[name] = residentMb(process.child.pid as number);
  const owedForSeconds: Record<string, number> = {};
  for (const { plan, owed } of receivers) {
    const oldest = owed.values().next().value ?? Date.now();
    owedForSeconds[plan.name] = (Date.now() - oldest) / 1000;
  }
  const limits = { connectionTimeoutMillis: 2000, query_timeout: 2000 };
  const client = new pg.Client({ connectionString: postgres.url, ...limits });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
  await client.end();
  return { at: new Date().toISOString(), memoryMb, owedForSeconds, databaseBytes: rows[0].bytes, ...load };
}

async function soak({ forMs, faultEveryMs, rate, seed, out }: ReturnType<typeof readOptions>, atEnd: AtEnd): Promise<boolean> {
  const random = randomFrom(seed);
  mkdirSync(out, { recursive: true });
  const history = join(out, 'history.jsonl');
  const write = startLines(history);
  const installation = await startInstallation(atEnd);
  const receivers = plans.map((plan) => new Receiver(plan, random, write));
  for (const receiver of receivers) await receiver.start(installation, atEnd);
  const load = await startLoad(installation, receivers, write, rate);

  const writeSample = startLines(join(out, 'samples.jsonl'));
  const sampler = setInterval(() => {
    // A sample that cannot be taken is left out.
    takeSample(installation, receivers, load).then(writeSample, () => {});
  }, 10_000);

  const began = performance.now();
  const leftMs = () => forMs - (performance.now() - began);
  const faults = faultsOn(installation, receivers, random);
  const counts: Record<string, number> = {};
  while (faultEveryMs > 0) {
    await pause(Math.min(Math.max(0, leftMs()), faultEveryMs * (0.5 + random())));
    if (leftMs() <= 0) break;
    const [name, cause] = faults[Math.floor(random() * faults.length)] as Fault;
    await cause();
    counts[name] = (counts[name] ?? 0) + 1;
    const owed = receivers.reduce((sum, receiver) => sum + receiver.owed.size, 0);
    tell(`${(leftMs() / 60_000).toFixed(1)} min left: ${name}; ${load.acknowledged} sales, ${owed} deliveries owed`);
  }
  await pause(Math.max(0, leftMs()));
  await load.stop();
  const drainedSeconds = await drain(receivers);
  clearInterval(sampler);

  const checked = await checkedHistory(history);
  const { members, operatorToken } = installation;
  const ledger = (await members[0]?.process.call('GET', '/manage/v1/ledger', { token: operatorToken }))?.body.data;
  const result = {
    passed: checked.findings.length === 0 && ledger.unaccounted === 0,
    sales: load.acknowledged,
    faults: counts,
    seconds_until_nothing_was_owed: drainedSeconds,
    ledger_unaccounted: ledger.unaccounted,
    history: checked,
  };
  const text = JSON.stringify(result, null, 2);
  writeFileSync(join(out, 'result.json'), `${text}\n`);
  process.stdout.write(`${text}\n`);
  return result.passed;
}

async function checkedHistory(file: string): Promise<Checked> {
  const check = new HistoryCheck(0);
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) check.add(JSON.parse(line), ++number);
  return check.result();
}

/** Waits until nothing is owed. Returns how many seconds that took, or null if it did not happen in time. */
async function drain(receivers: readonly Receiver[]): Promise<number | null> {
  const began = performance.now();
  while (receivers.some(({ owed }) => owed.size > 0)) {
    if (performance.now() - began > drainMs) return null;
    await pause(100);
  }
  const seconds = (performance.now() - began) / 1000;
  // The last requests are written when their replies are sent.
  await pause(1000);
  return seconds;
}

const endings: (() => unknown)[] = [];
try {
  const passed = await soak(readOptions(), (work) => endings.unshift(work));
  process.exitCode = passed ? 0 : 1;
} finally {
  for (const end of endings) await end();
}
