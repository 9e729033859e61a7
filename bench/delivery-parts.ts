import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue as BullQueue, createPostgresBackend, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import pino from 'pino';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { systemClock } from '../gateway/base/clock.ts';
import { Keyring } from '../gateway/base/keyring.ts';
import { openEmbeddedQueue } from '../gateway/queue/embedded.ts';
import type { Gate } from '../gateway/queue/gate/port.ts';
import type { Queue } from '../gateway/queue/port.ts';
import { readSettings, type ScaleSettings } from '../gateway/start/config.ts';
import { openScale } from '../gateway/start/tiers.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import type { Store } from '../gateway/store/port.ts';
import { ClosingPool } from '../gateway/store/sql/postgres.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { batched } from '../gateway/webhooks/delivery/stage.ts';
import { createEndpoint, type EndpointInput } from '../gateway/webhooks/endpoints/endpoints.ts';
import { defineEvent } from '../gateway/webhooks/outbox/event.ts';
import { newSigningSecret, signatureHeaders } from '../gateway/webhooks/sending/sign.ts';
import { openWebhooks } from '../gateway/webhooks/webhooks.ts';

const log = pino({ level: 'error' }, pino.destination(2));
/** About 500 bytes per delivery, with the envelope. */
const filling = 'x'.repeat(400);
export const sold = defineEvent({
  type: 'sale.completed',
  service: 'pos',
  summary: 'A sale',
  data: z.object({ filling: z.string() }),
  example: { filling },
  gaps: [],
});
const concurrency = 100;
const nowMs = () => performance.timeOrigin + performance.now();

export interface Variant {
  /** Creates this many deliveries as fast as possible. Returns the start time. */
  send(deliveries: number): Promise<number>;
  /** Stores deliveries with these ids or, in the gateway, events with these names: `SUBJECT/SERIAL`. */
  emit(names: string[]): Promise<void>;
  close(): Promise<void>;
}

export interface Tier {
  store: Store;
  queue: Queue;
  gate?: Gate;
  /** The gateway's store on this tier. */
  query(text: string, values?: unknown[]): Promise<unknown>;
  /** A bare worker and queue of BullMQ on this tier's backend. */
  bare(work: Work): JobQueue;
  close(): Promise<void>;
}

export type Work = (job: { data: { id: string } }) => Promise<void>;

export interface JobQueue {
  add(ids: string[]): Promise<void>;
  /** Runs a statement and adds jobs in one transaction, if the queue is in the same database. */
  addWith?(text: string, values: unknown[], ids: string[]): Promise<void>;
  close(): Promise<void>;
}

interface JobQueueOf {
  bare(work: Work): JobQueue | Promise<JobQueue>;
}

/** Is told each id before the variants without the gateway send it. */
export type OnSend = (id: string) => void;

export async function embeddedTier(): Promise<Tier> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  const pool = await PglitePool.open(join(folder, 'postgres'));
  const store = await openSqlStore(pool);
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: 15_000, log });
  return {
    store,
    queue,
    query: (text, values) => pool.query(text, values),
    bare: (work) => bareBull(work, { connection: pool, backend: createPostgresBackend }),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A tier that other processes can share: the settings that they need. */
export interface SharedTier extends Tier {
  environment: Record<'DATABASE_URL' | 'REDIS_URL' | 'REDIS_PREFIX' | 'SECRET_KEY', string>;
}

/** Creates a database on the server of DATABASE_URL, or uses the given one; and a prefix on REDIS_URL. */
export async function scaleTier(given: { databaseUrl?: string; secretKey?: Buffer } = {}): Promise<SharedTier> {
  const { databaseUrl, secretKey = randomBytes(32) } = given;
  const name = `bench${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  if (databaseUrl === undefined) await run(`create database ${name}`);
  const url = new URL(databaseUrl ?? process.env.DATABASE_URL ?? '');
  if (databaseUrl === undefined) url.pathname = `/${name}`;
  const REDIS_URL = process.env.REDIS_URL ?? '';
  const environment = { DATABASE_URL: url.href, REDIS_URL, REDIS_PREFIX: name, SECRET_KEY: secretKey.toString('hex') };
  const tier = await openScale(readSettings({ ...process.env, ...environment }) as ScaleSettings, log);
  const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
  const pool = new ClosingPool({ connectionString: url.href });
  return {
    ...tier,
    environment,
    query: (text, values) => pool.query(text, values),
    bare: (work) => bareBull(work, { connection }),
    async close() {
      await tier.close();
      connection.disconnect();
      await pool.end();
      if (databaseUrl === undefined) await run(`drop database ${name} with (force)`);
    },
  };
}

export function bareBull(work: Work, { connection, backend }: { connection: unknown; backend?: unknown }): JobQueue {
  const options = { connection, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } } as never;
  const queue = new BullQueue('bare', options, backend as never);
  const worker = new Worker('bare', work as never, { connection, concurrency } as never, backend as never);
  queue.on('error', (error: Error) => log.error({ err: error }));
  worker.on('error', (error: Error) => log.error({ err: error }));
  return {
    add: async (ids) => void (await queue.addBulk(ids.map((id) => ({ name: 'x', data: { id } })) as never)),
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}

/** The upper bound: a BullMQ worker that only signs and POSTs the same bytes. */
export async function bareVariant(tier: JobQueueOf, urls: string[], onSend?: OnSend): Promise<Variant> {
  const sender = senderTo(urls, onSend);
  const bull = await tier.bare(({ data }) => sender.send(data.id));
  return {
    emit: bull.add,
    send: (deliveries) => emitAll(bull.add, newIds(deliveries)),
    async close() {
      await bull.close();
      await sender.close();
    },
  };
}

async function emitAll(emit: Variant['emit'], groups: string[][]): Promise<number> {
  const began = nowMs();
  for (const names of groups) await emit(names);
  return began;
}

/**
 * The minimum without loss: stores each delivery before it is queued, and each attempt with its result before the job ends,
 * in batches. Two tables without secondary indexes; no endpoints, limits, leases or figures.
 */
export async function thinVariant(tier: JobQueueOf & Pick<Tier, 'query'>, urls: string[], onSend?: OnSend): Promise<Variant> {
  await tier.query('create table thin_deliveries (id text primary key, status text not null, body text not null)');
  await tier.query('create table thin_attempts (id text primary key, delivery_id text not null, evidence jsonb not null)');
  const sender = senderTo(urls, onSend);
  const record = batched<{ id: string; evidence: string }>('record', async (group) => {
    await tier.query(
      `with made as (insert into thin_attempts select id || '.1', id, evidence::jsonb from unnest($1::text[], $2::text[]) as given (id, evidence))
       update thin_deliveries set status = 'delivered' where id = any($1::text[])`,
      [group.map(({ id }) => id), group.map(({ evidence }) => evidence)],
    );
    return undefined;
  });
  const bull = await tier.bare(async ({ data: { id } }) => {
    const startedMs = nowMs();
    await sender.send(id);
    const evidence = { status: 200, startedMs, endedMs: nowMs(), request: sender.headersOf(id) };
    await record({ id, evidence: JSON.stringify(evidence) });
  });
  const insert = "insert into thin_deliveries select id, 'pending', $2 from unnest($1::text[]) as given (id)";
  const emit = async (ids: string[]) => {
    if (bull.addWith) return bull.addWith(insert, [ids, body], ids);
    await tier.query(insert, [ids, body]);
    await bull.add(ids);
  };
  return {
    emit,
    send: (deliveries) => emitAll(emit, newIds(deliveries)),
    async close() {
      await bull.close();
      await sender.close();
    },
  };
}

let serial = 0;
const newIds = (count: number) =>
  groupsOf(
    Array.from({ length: count }, () => `evt_${serial++}`),
    500,
  );

const groupsOf = (names: string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, at) => names.slice(at * size, at * size + size));

const body = JSON.stringify({ event: sold.type, delivered_at: '2026-11-21T08:53:00+00:00', data: { filling } });

function senderTo(urls: string[], onSend?: OnSend) {
  const agent = new Agent();
  const secret = newSigningSecret();
  let turn = 0;
  const headersOf = (id: string) => {
    const signed = { eventId: id, body, atMs: Date.now(), secrets: [secret], headerName: 'X-SERVICE-Signature' };
    return { 'content-type': 'application/json', ...signatureHeaders(signed) };
  };
  return {
    headersOf,
    async send(id: string): Promise<void> {
      onSend?.(id);
      const url = urls[turn++ % urls.length] as string;
      const response = await request(url, { method: 'POST', headers: headersOf(id), body, dispatcher: agent });
      await response.body.dump();
    },
    close: () => agent.close(),
  };
}

/** The gateway: from the change to the acknowledged and recorded delivery. */
export async function gatewayVariant(
  tier: Tier,
  urls: string[],
  options: {
    perimeter?: (index: number) => string[] | null;
    fields?: Partial<EndpointInput>;
    stores?: number;
    settings?: object;
    /** False if only other processes make attempts. They need the master key. */
    work?: boolean;
    masterKey?: Buffer;
  } = {},
): Promise<Variant & { store: Store }> {
  const { store, queue, gate } = tier;
  const keys = new Keyring(options.masterKey ?? randomBytes(32));
  const { work = true } = options;
  const settings = { allowLoopback: true, concurrency, ...options.settings };
  const webhooks = openWebhooks({ store, queue, gate, clock: systemClock, keys, log, settings, work });
  const { change } = webhooks;
  webhooks.start();
  const rules = { catalogue: [sold], allowLoopback: true, keys };
  const common = { service: 'pos', description: '', events: null, active: true } as const;
  for (let from = 0; from < urls.length; from += 500) {
    const some = urls.slice(from, from + 500);
    await change(async (one) => {
      for (const [index, url] of some.entries())
        await createEndpoint(
          one,
          { ...common, ...options.fields, url, perimeter: options.perimeter?.(from + index) ?? null } as never,
          rules,
        );
    });
  }
  const perEvent = options.perimeter ? 1 : urls.length;
  let subject = 0;
  const emit = (names: string[]) =>
    change(async ({ emit: store }) => {
      for (const one of names)
        store(sold, { subject: one.split('/')[0] as string, data: { filling: one + filling.slice(one.length) } });
    });
  return {
    store,
    emit,
    send(deliveries) {
      const subjects = Array.from(
        { length: Math.ceil(deliveries / perEvent) },
        () => `STORE-${subject++ % (options.stores ?? 1000)}`,
      );
      return emitAll(emit, groupsOf(subjects, 50));
    },
    close: () => webhooks.close(),
  };
}
