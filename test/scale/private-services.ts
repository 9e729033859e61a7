import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type AtEnd, root, until } from '../e2e/process.ts';
import { freePort } from '../free-port.ts';

/** A server that a test can kill, suspend and start again. */
export interface Service {
  url: string;
  /** The running process. */
  pid(): number;
  /** Starts it on its data and waits until it answers. */
  start(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Suspends it (SIGSTOP): connections stay open, and nothing answers. */
  hang(): void;
  resume(): void;
}

/** PostgreSQL does not run as root, so its user gets the folder. */
function folderFor(user: { uid?: number; gid?: number }, atEnd: AtEnd, inside = tmpdir()): string {
  const folder = mkdtempSync(join(inside, 'passerelle-scale-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

interface Program {
  url: string;
  file: string;
  args: string[];
  user: { uid?: number; gid?: number };
  answers(): Promise<unknown>;
  atEnd: AtEnd;
}

async function serve({ url, file, args, user, answers, atEnd }: Program): Promise<Service> {
  let child: ChildProcess | undefined;
  const signal = (name: NodeJS.Signals) => {
    if (child?.pid === undefined) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) {
      try {
        process.kill(pid, name);
      } catch {
        // The server has ended by itself.
      }
    }
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    signal('SIGKILL');
    await ended;
  };
  const start = async () => {
    await until(async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) child = spawn(file, args, { ...user, stdio: 'ignore' });
      return answers().then(
        () => true,
        () => false,
      );
    });
  };
  atEnd(kill);
  await start();
  return { url, pid: () => child?.pid ?? 0, start, kill, hang: () => signal('SIGSTOP'), resume: () => signal('SIGCONT') };
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return listed.split(' ').filter(Boolean).map(Number);
}

/** `redis-server`, or the program of this path or name, such as `valkey-server`. Its Sentinels and clusters are made of it too. */
const redisProgram = process.env.REDIS_SERVER ?? 'redis-server';

/** A Redis that is empty after a restart, unless `kept`. `settings`: of the server, by their names. With a certificate it takes TLS only. */
export async function startRedis({
  kept = true,
  settings = {} as Record<string, string>,
  certificate = undefined as Certificate | undefined,
  atEnd = onTestFinished as AtEnd,
  port = 0,
} = {}): Promise<Service> {
  port ||= await freePort();
  const tls = certificate && tlsOf(certificate, port);
  const all = { port: String(port), appendonly: kept ? 'yes' : 'no', appendfsync: 'everysec', save: '', ...settings, ...tls };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')]);
  return serveRedis(port, ['--bind', '127.0.0.1', '--dir', folderFor({}, atEnd), ...args], atEnd);
}

/** How long a server does not answer until Sentinels and nodes of a cluster count it as away. A busy machine must not look like a death. */
const awayAfterMs = '5000';

/**
 * Three Sentinels of a Redis, as in deploy/hosts, but faster. `settings`: of each Sentinel, such as passwords, by their names. With a
 * certificate they speak TLS only, also with Redis. Returns the setting that leads to them.
 */
export async function startSentinels(
  redis: Service,
  {
    settings = {} as Record<string, string>,
    certificate = undefined as Certificate | undefined,
    atEnd = onTestFinished as AtEnd,
  } = {},
): Promise<string> {
  const { port: monitored } = new URL(redis.url);
  const sentinels = [1, 2, 3].map(async () => {
    const port = await freePort();
    const file = join(folderFor({}, atEnd), 'sentinel.conf');
    const lines = Object.entries({
      ...(certificate && { ...tlsOf(certificate, port), 'tls-replication': 'yes' }),
      'sentinel down-after-milliseconds passerelle': awayAfterMs,
      'sentinel failover-timeout passerelle': '5000',
      ...settings,
    });
    const example = exampleOf('sentinel.conf', {
      'port 26379': `port ${port}`,
      'redis1.internal 6379': `127.0.0.1 ${monitored}`,
      'sentinel auth-pass passerelle REDIS-PASSWORD': '',
    });
    writeFileSync(file, example + lines.map((line) => `${line.join(' ')}\n`).join(''));
    await serveRedis(port, [file, '--sentinel'], atEnd);
    return `127.0.0.1:${port}`;
  });
  return `redis${certificate ? 's' : ''}-sentinel://${(await Promise.all(sentinels)).join()}/0?master=passerelle`;
}

const tlsOf = ({ file, key, authority }: Certificate, port: number) => ({
  port: '0',
  'tls-port': String(port),
  'tls-cert-file': file,
  'tls-key-file': key,
  'tls-ca-cert-file': authority,
  'tls-auth-clients': 'no',
});

/**
 * A cluster of three primaries with a replica each. `settings`: of each node, by their names. Returns the setting that leads to it.
 */
export async function startCluster({
  settings = {} as Record<string, string>,
  certificate = undefined as Certificate | undefined,
  atEnd = onTestFinished as AtEnd,
} = {}): Promise<{ url: string; nodes: Service[] }> {
  const ofNodes = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': awayAfterMs,
    // A replica takes over however long ago it heard from its primary.
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
    ...(certificate && { 'tls-cluster': 'yes', 'tls-replication': 'yes' }),
    ...settings,
  };
  const ports = new Set<number>();
  while (ports.size < 12) ports.add(await freePort());
  const [clients, buses] = [[...ports].slice(6), [...ports].map(String)];
  const start = async (port: number, at: number) => {
    const node = await startRedis({ settings: { ...ofNodes, 'cluster-port': buses[at] as string }, certificate, atEnd, port });
    return { ...node, host: new URL(node.url).host, bus: buses[at] };
  };
  const nodes = await Promise.all(clients.map(start));
  const hosts = nodes.map(({ host }) => host);
  const password = settings.requirepass === undefined ? [] : ['-a', settings.requirepass, '--no-auth-warning'];
  const tls = certificate ? ['--tls', '--cacert', certificate.authority] : [];
  const cli = async (args: string[]) => (await promisify(execFile)('redis-cli', args)).stdout;
  const addresses = nodes.map(({ host, bus }) => `${host}@${bus}`);
  await cli([...tls, ...password, '--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes']);
  const ask = async (node: string, section: string) => {
    const [host = '', port = ''] = node.split(':');
    return (await cli([...tls, ...password, '-h', host, '-p', port, 'cluster', section])).trim().split('\n');
  };
  await until(async () => {
    const states = await Promise.all(hosts.map((host) => ask(host, 'info')));
    const replicas = (await ask(hosts[0] as string, 'nodes')).filter((line) => / slave .* connected$/.test(line));
    return states.every(([state]) => state?.trim() === 'cluster_state:ok') && replicas.length === 3;
  });
  return { url: `redis${certificate ? 's' : ''}-cluster://${hosts.join()}`, nodes };
}

/** Answers if something listens on this port. */
async function listens(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
}

const serveRedis = (port: number, args: string[], atEnd: AtEnd): Promise<Service> =>
  serve({ url: `redis://127.0.0.1:${port}`, file: redisProgram, args, user: {}, atEnd, answers: () => listens(port) });

function postgresPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return process.env.POSTGRES_BIN ?? (versions[0] === undefined ? '' : join(debian, versions[0], 'bin'));
}

const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));

/** A PostgreSQL with an empty database. Its data and its log (WAL) may be in folders of their own. */
export async function startPostgres({
  atEnd = onTestFinished as AtEnd,
  dataIn = tmpdir(),
  logIn = tmpdir(),
  /** Settings of the server, by their names. */
  settings = {} as Record<string, string>,
} = {}): Promise<Service> {
  const folder = folderFor(postgresUser(), atEnd, dataIn);
  const log = ['--waldir', join(folderFor(postgresUser(), atEnd, logIn), 'log'), '--wal-segsize=1'];
  await runPostgres('initdb', ['-D', join(folder, 'data'), ...log, '-A', 'trust', '-U', 'passerelle', '--no-sync']);
  return servePostgres(folder, atEnd, settings);
}

/** The files of a certificate. */
export interface Certificate {
  authority: string;
  file: string;
  key: string;
}

/** A certificate for this name, signed by an authority of its own, which PostgreSQL may read. */
export async function certificateFor(host: string, { atEnd = onTestFinished as AtEnd } = {}): Promise<Certificate> {
  const folder = folderFor(postgresUser(), atEnd);
  const [authority, authorityKey, file, key, request] = ['ca.pem', 'ca.key', 'server.pem', 'server.key', 'request'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { ...postgresUser(), cwd: folder });
  const name = ['-addext', `subjectAltName=${host}`, '-subj', '/CN=test'];
  const keyed = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl('req', '-x509', ...keyed, '-subj', '/CN=authority', '-keyout', authorityKey, '-out', authority);
  await openssl('req', ...keyed, ...name, '-keyout', key, '-out', request);
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-copy_extensions', 'copy'];
  await openssl('x509', '-req', '-in', request, ...signed, '-out', file);
  return { authority, file, key };
}

/** A hot standby that streams from a primary, until `promote`. */
export async function startStandby(primary: string, { atEnd = onTestFinished as AtEnd } = {}) {
  const folder = folderFor(postgresUser(), atEnd);
  const streaming = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  await runPostgres('pg_basebackup', ['-D', join(folder, 'data'), '-d', primary, ...streaming]);
  const standby = await servePostgres(folder, atEnd);
  return { ...standby, promote: () => runPostgres('pg_ctl', ['-D', join(folder, 'data'), '-w', 'promote']) };
}

/** PostgreSQL does not run as root. */
const postgresUser = () => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {});

const runPostgres = (program: string, args: string[]) =>
  promisify(execFile)(join(postgresPrograms(), program), args, { ...postgresUser(), cwd: '/' });

async function servePostgres(folder: string, atEnd: AtEnd, settings: Record<string, string> = {}): Promise<Service> {
  const port = await freePort();
  const url = `postgres://passerelle@127.0.0.1:${port}/postgres`;
  return serve({
    url,
    file: join(postgresPrograms(), 'postgres'),
    // Only the process is killed, never the machine, so fsync is not needed.
    args: [
      ...['-D', join(folder, 'data'), '-p', String(port), '-k', folder],
      ...Object.entries({ listen_addresses: '127.0.0.1', fsync: 'off', ...settings }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
    user: postgresUser(),
    atEnd,
    answers: () => answersTo(url),
  });
}

async function answersTo(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => {});
  await client.connect();
  await client.query('select 1');
  await client.end();
}

/** A file of `deploy/hosts`, with other texts where this test needs them. */
function exampleOf(file: string, texts: Record<string, string>): string {
  return Object.entries(texts).reduce(
    (example, [text, other]) => {
      if (!example.includes(text)) throw new Error(`deploy/hosts/${file} lacks ${text}`);
      return example.replaceAll(text, other);
    },
    readFileSync(join(root, 'deploy/hosts', file), 'utf8'),
  );
}

/** nginx before two gateways, as in deploy/hosts. */
export async function startNginx(
  gateways: readonly [string, string],
  certificate: Certificate,
  { atEnd = onTestFinished as AtEnd } = {},
): Promise<Service> {
  const folder = folderFor({}, atEnd);
  const port = await freePort();
  const [first, second] = gateways.map((url) => new URL(url).host) as [string, string];
  const site = exampleOf('nginx.conf', {
    'app1.internal:8080': first,
    'app2.internal:8080': second,
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/ssl/passerelle/fullchain.pem': certificate.file,
    '/etc/ssl/passerelle/privkey.pem': certificate.key,
  });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const settings = `daemon off; ${process.getuid?.() === 0 ? 'user root; ' : ''}pid ${join(folder, 'pid')}; error_log stderr; events {}`;
  writeFileSync(join(folder, 'nginx.conf'), `${settings} http { access_log off; ${paths.join(' ')} ${site} }`);
  const answers = () => listens(port);
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  return serve({ url: `https://localhost:${port}`, file: 'nginx', args, user: {}, answers, atEnd });
}

/** PgBouncer before a PostgreSQL, as in deploy/hosts, in its mode for transactions and with fewer connections than a gateway has. */
export async function startPgBouncer(
  server: string,
  { atEnd = onTestFinished as AtEnd, poolMode = 'transaction' } = {},
): Promise<Service> {
  const user = postgresUser();
  const folder = folderFor(user, atEnd);
  const port = await freePort();
  const { hostname, port: serverPort } = new URL(server);
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  writeFileSync(users, '"passerelle" "secret"\n');
  const example = exampleOf('pgbouncer.ini', {
    'passerelle = host=127.0.0.1 port=5432': `* = host=${hostname} port=${serverPort}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1\nunix_socket_dir =',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    'pool_mode = transaction': `pool_mode = ${poolMode}`,
    'default_pool_size = 20': 'default_pool_size = 4',
  });
  writeFileSync(file, example);
  const url = new URL(server);
  url.port = String(port);
  url.password = 'secret';
  return serve({ url: url.href, file: 'pgbouncer', args: ['-q', file], user, atEnd, answers: () => answersTo(url.href) });
}
