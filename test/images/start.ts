/**
 * Starts the images that `.ci/images` has built: a gateway on the embedded tier, the services of compose.yaml, and the pods of
 * deploy/kubernetes. Calls them with the typed client, runs their health checks, and ends them by SIGTERM.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { posClient } from '../../spec/clients/pos.ts';
import { hostAddress, type Image, Network, networkRange, type Running, until } from './container.ts';

const scratch = process.argv[2];
if (scratch === undefined) throw new Error('Name the folder of .ci/images.');
const network = new Network(scratch);
const imageOf = (name: string): Image => ({
  folder: join(scratch, name),
  config: JSON.parse(readFileSync(join(scratch, `${name}.json`), 'utf8')).Docker.config,
});
const gateway = imageOf('passerelle');
const { OPERATOR_TOKEN: operatorToken } = process.env;

/** Waits until the health check succeeds, and checks what the process may do. */
async function healthy(name: string, image: Image, environment: Record<string, string>, running: Running): Promise<void> {
  await until(`health of ${name}`, running, async () => (await network.healthOf(name, image, environment)) === 0);
  const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
  const field = (of: string) => status.match(new RegExp(`^${of}:\\s*(.*)$`, 'm'))?.[1];
  equal(field('Uid'), '1000\t1000\t1000\t1000');
  equal(field('CapEff'), '0000000000000000');
  equal(field('NoNewPrivs'), '1');
  const mounts = readFileSync(`/proc/${running.child.pid}/mounts`, 'utf8');
  ok(/^\S+ \/ \S+ ro[, ]/m.test(mounts), `the root of ${name} is writable: ${mounts}`);
}

async function stopped(name: string, { child, exited, output }: Running): Promise<void> {
  child.kill('SIGTERM');
  equal(await exited, 0, `${name} did not end with 0: ${output()}`);
  process.stdout.write(`${name}: stopped with exit code 0\n`);
}

async function call(method: string, url: string, body?: unknown) {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const reply = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  ok(reply.ok, `${method} ${url}: ${reply.status}`);
  return ((await reply.json()) as { data: never }).data;
}

interface Key {
  api_key: string;
  api_secret: string;
}

/** Gets a token, and sells one piece of the first product by the typed client. Returns the reference of the sale. */
async function sell(baseUrl: string, store_id: string, { api_key, api_secret }: Key): Promise<string> {
  const reply = await fetch(`${baseUrl}/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key, api_secret }),
  });
  const { token } = (await reply.json()) as { token: string };
  const client = posClient({ baseUrl, token });
  const { data: inventory } = await client.GET('/api/v1/inventory', { params: { query: { store_id } } });
  const [item] = inventory?.data.items ?? [];
  ok(item);
  const { product_id, price } = item;
  const { data: sale, error } = await client.POST('/api/v1/sales', {
    body: { store_id, payment_method: 'cash', total: price, items: [{ product_id, quantity: 1, price }] },
  });
  ok(sale, JSON.stringify(error));
  return sale.data.reference;
}

/** A folder that the user of an image may write to. */
function dataFolder(): string {
  const data = mkdtempSync(join(scratch as string, 'data-'));
  chownSync(data, 1000, 1000);
  return data;
}

async function startEmbedded(): Promise<void> {
  const address = network.join('embedded');
  const data = dataFolder();
  const environment = { ALLOW_PLAIN_HTTP: 'on', DEMO: 'off' };
  const running = network.runImage('embedded', gateway, environment, { data });
  await healthy('embedded', gateway, environment, running);
  equal((await fetch(`http://${address}:8080/readyz`)).status, 200);
  await stopped('embedded', running);
}

const [postgresBin] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();

/** Debian's PostgreSQL, as its image starts with these variables. */
function startPostgres(name: string, { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD }: Record<string, string>): Running {
  network.join(name);
  const folder = mkdtempSync(join(scratch as string, 'postgres-'));
  const asPostgres = (command: string[], input = '') =>
    execFileSync('setpriv', ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', ...command], {
      cwd: '/',
      input,
      stdio: 'pipe',
    });
  execFileSync('chown', ['postgres:postgres', folder]);
  asPostgres([`${postgresBin}/initdb`, '-D', `${folder}/data`, '-U', POSTGRES_USER ?? '', '-A', 'trust', '--no-sync']);
  asPostgres(
    [`${postgresBin}/postgres`, '--single', '-D', `${folder}/data`, 'postgres'],
    `create database ${POSTGRES_DB};\nalter role ${POSTGRES_USER} password '${POSTGRES_PASSWORD}';\n`,
  );
  writeFileSync(`${folder}/data/pg_hba.conf`, 'host all all all scram-sha-256\n');
  const options = ['-c', 'listen_addresses=*', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off'];
  return network.runOwn(name, 'postgres', [`${postgresBin}/postgres`, '-D', `${folder}/data`, ...options]);
}

function startRedis(name: string, command: string[]): Running {
  network.join(name);
  const folder = mkdtempSync(join(scratch as string, 'redis-'));
  execFileSync('chown', ['redis:redis', folder]);
  return network.runOwn(name, 'redis', [...command, '--bind', '0.0.0.0', '--protected-mode', 'no', '--dir', folder]);
}

interface Service {
  image: string;
  environment?: Record<string, string>;
  command?: string[];
  read_only?: boolean;
  healthcheck?: { test: string[] };
}

/** The services of compose.yaml, as Compose reads it. Receivers of this test are in a private network. */
function composed(): Record<string, Service> {
  const allow = { environment: { WEBHOOK_ALLOW_NETWORKS: networkRange } };
  const names = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'];
  const more = join(scratch as string, 'more.yaml');
  writeFileSync(more, JSON.stringify({ services: Object.fromEntries(names.map((name) => [name, allow])) }));
  const files = ['-f', 'compose.yaml', '-f', more];
  const { services } = parse(execFileSync('docker-compose', [...files, 'config'], { encoding: 'utf8' }));
  deepEqual(Object.keys(services).sort(), [...names, 'postgres', 'redis'].sort());
  return services;
}

/** Waits until the health check of the service succeeds. */
async function healthyOther(name: string, healthcheck: Service['healthcheck'], running: Running): Promise<Running> {
  const test = healthcheck?.test.slice(1) ?? [];
  await until(`health of ${name}`, running, async () => (await network.runOwn(name, 'nobody', test).exited) === 0);
  return running;
}

/** Sells once through each gateway, and waits until a receiver has both webhooks, signed. */
async function deliver(gateways: string[], running: Running): Promise<void> {
  const [first = ''] = gateways;
  const received: string[] = [];
  let signingSecret = '';
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    ok(verifySignature(body, request.headers, signingSecret).valid);
    received.push(JSON.parse(body.toString()).data.reference);
    response.end();
  }).listen(8080, hostAddress);
  const account: { id: string } = await call('POST', `${first}/manage/v1/pos/accounts`, { name: 'Shop', plan: 'enterprise' });
  const key: Key = await call('POST', `${first}/manage/v1/pos/accounts/${account.id}/keys`);
  await call('POST', `${first}/manage/v1/pos/stores`, { id: 'STORE-1', name: 'Shop', city: 'Abidjan' });
  const product = { product_id: 'P1', name: 'Rice', category: 'Food', price: 100, quantity: 100, low_threshold: 1 };
  await call('POST', `${first}/manage/v1/pos/stores/STORE-1/products`, product);
  const endpoint = { service: 'pos', url: `http://${hostAddress}:8080/hook`, events: ['sale.completed'] };
  const made: { secret: string } = await call('POST', `${first}/manage/v1/endpoints`, endpoint);
  signingSecret = made.secret;
  const sold: string[] = [];
  for (const base of gateways) sold.push(await sell(`${base}/pos`, 'STORE-1', key));
  await until('the webhooks of both sales', running, async () => received.length === sold.length);
  deepEqual(received.sort(), sold.sort());
  receiver.close();
}

async function startComposed(services: Record<string, Service>): Promise<void> {
  const others: Running[] = [];
  const ours: { name: string; url: string; running: Running; environment: Record<string, string> }[] = [];
  for (const [name, { image, environment = {}, command = [], read_only, healthcheck }] of Object.entries(services)) {
    if (image.startsWith('postgres:')) others.push(await healthyOther(name, healthcheck, startPostgres(name, environment)));
    else if (image.startsWith('redis:')) others.push(await healthyOther(name, healthcheck, startRedis(name, command)));
    else {
      deepEqual([image, read_only], ['passerelle', true]);
      ours.push({ name, url: `http://${network.join(name)}:8080`, environment, running: undefined as never });
    }
  }
  const { DATABASE_URL = '', REDIS_URL = '', SECRET_KEY = '', OPERATOR_TOKEN = '' } = ours[0]?.environment ?? {};
  const secret = { DATABASE_URL, REDIS_URL, SECRET_KEY, OPERATOR_TOKEN };
  await migrate(secret);
  for (const one of ours) one.running = network.runImage(one.name, gateway, one.environment);
  for (const { name, environment, running } of ours) await healthy(name, gateway, environment, running);
  await deliver(
    ours.filter(({ name }) => name.startsWith('gateway')).map(({ url }) => url),
    ours[0]?.running as Running,
  );
  for (const { name, running } of ours) await stopped(name, running);
  await startPods(secret);
  for (const { child, exited } of others) {
    child.kill('SIGTERM');
    await exited;
  }
}

interface Container {
  args?: string[];
  env: { name: string; value: string }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
}
interface Probe {
  httpGet: { path: string };
}

/** The containers of the pods in a file of deploy/kubernetes, with their names and their environment, the Secret's included. */
function containersIn(file: string, secret: Record<string, string>) {
  return parseAllDocuments(readFileSync(join('deploy/kubernetes', file), 'utf8'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'Job' || kind === 'Deployment')
    .map(({ metadata, spec }) => {
      const pod = spec.template.spec;
      equal(pod.securityContext.runAsUser, 1000);
      const container = pod.containers[0] as Container;
      const environment = { ...secret, ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])) };
      return { name: metadata.name as string, container, environment };
    });
}

/** Migrates as the job of deploy/kubernetes does. */
async function migrate(secret: Record<string, string>): Promise<void> {
  const [job] = containersIn('migrate.yaml', secret);
  ok(job?.container.args);
  network.join(job.name);
  const running = network.runImage(job.name, gateway, job.environment, { command: job.container.args });
  equal(await running.exited, 0, running.output());
  process.stdout.write(`${job.name}: ${running.output()}`);
}

/** Starts a pod of each deployment, and asks its probes. */
async function startPods(secret: Record<string, string>): Promise<void> {
  const pods = containersIn('passerelle.yaml', secret);
  equal(pods.length, 2);
  for (const { name, container, environment } of pods) {
    const url = `http://${network.join(name)}:8080`;
    const running = network.runImage(name, gateway, environment);
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe])
      await until(`${httpGet.path} of ${name}`, running, async () => (await fetch(`${url}${httpGet.path}`)).ok);
    await stopped(name, running);
  }
}

await startEmbedded();
await startComposed(composed());
process.exit(0);
