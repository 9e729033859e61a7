import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { emailChannel } from '../alerts/harness.ts';
import { buildTestApp, operatorToken, type TestGateway } from '../helper.ts';
import { Choices } from './generated/choices.ts';
import { type Operation, operationsOf } from './generated/operations.ts';
import { RawConnection, type RawReply } from './generated/raw-connection.ts';
import { type Known, type Request, requestTo } from './generated/requests.ts';

/** How many, and which: `REQUESTS=100000 SEED=1` makes others (`.ci/release` makes 10,000). A failure names the seed. */
const requests = Number(process.env.REQUESTS ?? 3000);
const seed = Number(process.env.SEED ?? 20_261_122);
const connections = 16;

/** Before a request belongs to an operation: Node's HTTP parser (docs/partners/calls-and-limits.md). */
const ofTransport = [400, 408, 413, 431];

/** `/` leads to the documentation. */
const redirect = 302;

/** A gateway that has got many has more rows than an operator's, and becomes slow on the memory tier. Every second one sends mail. */
const perGateway = Math.min(5000, requests / 2);

test(`${requests} generated requests to all operations get only statuses that the documents list, each with a reason`, async () => {
  const succeeded = new Set<string>();
  let operations: Operation[] = [];
  for (let made = 0; made < requests; made += perGateway) {
    const gateway = await openGateway({ sendsMail: made % (2 * perGateway) !== 0 });
    operations = await documentedOperations(gateway);
    expect(operations.length).toBeGreaterThan(120);
    const problems = await makeRequests(gateway, operations, { seed: seed + made, count: perGateway, succeeded });
    expect(problems, `SEED=${seed}`).toEqual([]);
    await gateway.close();
  }
  // The requests reach what they are meant to reach. Which ones succeed is chance, about half of the operations.
  const never = operations.map(({ name }) => name).filter((name) => !succeeded.has(name));
  expect(never.length, `never succeeded: ${never.join(', ')}`).toBeLessThan(operations.length * 0.6);
}, 1_800_000);

interface Run {
  seed: number;
  count: number;
  /** Gets the names of the operations that succeeded. */
  succeeded: Set<string>;
}

/** Makes the requests over several connections. Returns what is wrong with the replies. */
async function makeRequests(gateway: TestGateway, operations: Operation[], { seed, count, succeeded }: Run): Promise<string[]> {
  const known = await knownOf(gateway);
  const every = new Set([404, ...operations.flatMap(({ statuses }) => [...statuses])]);
  const { port } = gateway.app.addresses()[0] as { port: number };
  const problems: string[] = [];
  const work = async (worker: number) => {
    const choices = new Choices(seed + worker);
    const connection = new RawConnection(port);
    for (let made = worker; made < count && problems.length < 5; made += connections) {
      const request = requestTo(operations[made % operations.length] as Operation, choices, known);
      const reply = await connection.exchange(request.bytes, request.method === 'HEAD');
      // Node's server never answers a bad request after one that asked for an upgrade (as a bare server shows).
      if (request.kind === 'http' || request.bytes.includes('upgrade: websocket')) connection.close();
      const problem = problemOf(request, reply, every);
      if (problem)
        problems.push(
          [problem, request.bytes.toString('latin1'), JSON.stringify(reply)].map((text) => text.slice(0, 600)).join('\n'),
        );
      if (reply === null) continue;
      if (reply.status < 300) succeeded.add(request.operation.name);
      known.learn(reply.body);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_none, worker) => work(worker)));
  return problems;
}

/** Pages as they are after a build. A path that is changed may be one of theirs. */
function builtPages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const page of ['console', 'profile']) {
    mkdirSync(join(folder, page));
    writeFileSync(join(folder, page, 'index.html'), '<!doctype html><title>page</title>');
  }
  return folder;
}

async function openGateway({ sendsMail }: { sendsMail: boolean }): Promise<TestGateway> {
  const store = new MemoryStore({ calls: 1000, tallies: 1000, attempts: 1000 });
  const gateway = await buildTestApp({ store, pagesFolder: builtPages(), settings: { BODY_LIMIT_BYTES: '16384' } });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  // A call that is known to be right, so that wrong credentials do not lock the others out.
  await gateway.manage('GET', '/reasons');
  // Nothing listens at its port, so each mail fails at once.
  if (sendsMail) await gateway.manage('POST', '/alerts/channels', { ...emailChannel(9), for_partners: true });
  return gateway;
}

async function documentedOperations(gateway: TestGateway): Promise<Operation[]> {
  const apis = { pos: '/pos', cohesion: '/cohesion', manage: '/manage/v1', profile: '/profile/v1' };
  const found = Object.entries(apis).map(async ([name, prefix]) =>
    operationsOf(prefix, (await gateway.call('GET', `/docs/${name}.json`)).body),
  );
  return (await Promise.all(found)).flat();
}

async function knownOf(gateway: TestGateway): Promise<Known & { learn(body: string): void }> {
  const posToken = await gateway.posToken();
  const user = (await gateway.store.get('users', { active: true })) as { id: number };
  const abilities = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'];
  const tokens: string[] = [];
  for (let made = 0; made < 60; made++) {
    const body = { name: `generated ${made}`, abilities, structure_ids: null };
    tokens.push((await gateway.manage('POST', `/cohesion/users/${user.id}/tokens`, body)).body.data.token);
  }
  // What these requests need must not be switched off by them.
  const own = new Set([String(user.id), ...tokens.map((token) => token.split('|')[0]), ...(await posIds(gateway))]);
  const ids = ['1', '2', '2026', ...gateway.demo.pos.stores];
  const tokensOf: Readonly<Record<string, readonly string[]>> = {
    pos: [posToken],
    cohesion: tokens,
    profile: [posToken, ...tokens],
  };
  return {
    ids,
    token: ({ path }, choices) => choices.of(tokensOf[path.split('/')[1] ?? ''] ?? [operatorToken]),
    learn(body) {
      for (const [, id = ''] of body.matchAll(/"id":"?([\w-]{1,60})"?/g)) {
        if (own.has(id) || ids.includes(id)) continue;
        ids.push(id);
        if (ids.length > 400) ids.splice(6, 1);
      }
    },
  };
}

const posIds = async (gateway: TestGateway): Promise<string[]> =>
  (await Promise.all([gateway.store.list('accounts'), gateway.store.list('api_keys')])).flat().map(({ id }) => id);

/** What is wrong with a reply; undefined if it is as documented. */
function problemOf({ operation, method, kind }: Request, reply: RawReply | null, every: ReadonlySet<number>): string | undefined {
  // TRACE and CONNECT, and requests that Node cannot parse, may be closed without a reply.
  if (reply === null) return kind === 'operation' ? `${operation.name}: no reply` : undefined;
  const { status, headers, body } = reply;
  const allowed = {
    operation: [...operation.statuses],
    path: [...every, redirect],
    http: [...every, ...ofTransport, redirect],
  }[kind];
  if (!allowed.includes(status) || status >= 500) return `${operation.name} (${kind}): status ${status}`;
  if (headers['x-content-type-options'] !== 'nosniff') return `${operation.name}: no nosniff`;
  const left = kind === 'operation' ? undocumented(operation, reply) : [];
  if (left.length > 0) return `${operation.name}: the headers of ${status} are not as documented: ${left.join(', ')}`;
  if (status < 400 || method === 'HEAD') return undefined;
  try {
    const parsed = JSON.parse(body);
    const message = parsed.message ?? parsed.error.message;
    if (typeof message !== 'string' || !/\w/.test(message)) return `${operation.name}: no message`;
  } catch {
    return `${operation.name}: the refusal is not JSON`;
  }
  return /node_modules|\bat \S+ \(/.test(body) ? `${operation.name}: a stack trace` : undefined;
}

/** Node's own headers, and the content type, which OpenAPI describes apart from the others. */
const ofNode = ['content-length', 'content-type', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** The headers that are sent and not documented, and those that are documented as required and not sent. */
function undocumented(operation: Operation, { status, headers }: RawReply): string[] {
  const documented = operation.headers.get(status) ?? new Map<string, boolean>();
  const extra = Object.keys(headers).filter((name) => !documented.has(name) && !ofNode.includes(name));
  return [...extra, ...[...documented].flatMap(([name, required]) => (required && !(name in headers) ? [name] : []))];
}
