/**
 * One process of a variant of deliveries: a gateway, or bare BullMQ, on the embedded tier or (with DATABASE_URL
 * and REDIS_URL) on the scale tier. Argument: `Begin` as JSON.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pino from 'pino';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { Keyring } from '../gateway/base/keyring.ts';
import { startGateway } from '../gateway/gateway.ts';
import { isScale, readSettings } from '../gateway/start/config.ts';
import { openEmbedded, openScale } from '../gateway/start/tiers.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import { createEndpoint } from '../gateway/webhooks/endpoints/endpoints.ts';
import { defineEvent } from '../gateway/webhooks/outbox/event.ts';
import { newSigningSecret, signatureHeaders } from '../gateway/webhooks/sending/sign.ts';
import { answerAsks, nowMs, pause } from './ask.ts';

export interface Begin {
  variant: 'gateway' | 'bare';
  /** What this process does. Only on the scale tier can `emit` and `work` be different processes. */
  role: 'all' | 'emit' | 'work';
  /** Created by the process that emits. Each event of a subject goes to all endpoints of that subject. */
  endpoints: Endpoint[];
}

export interface Endpoint {
  url: string;
  subject: string;
  /** Attempts started in a second; by default without a limit. */
  maxPerSecond?: number;
}

interface Sender {
  /** Stores one event in a change of its own, with its deliveries. */
  emit(subject: string): Promise<void>;
  /** Resolves when no delivery is under way: each has ended and is recorded. */
  settled(): Promise<void>;
  /** Stores what waits. */
  close(): Promise<void>;
}

/** About 500 bytes, with the envelope. */
const filling = 'x'.repeat(400);
const sold = defineEvent({
  type: 'sale.completed',
  service: 'pos',
  summary: 'A sale',
  data: z.object({ filling: z.string(), emitted_at: z.number() }),
  example: { filling, emitted_at: 0 },
  gaps: [],
});

const begin = JSON.parse(process.argv[2] ?? '{}') as Begin;
const log = pino({ level: 'error' }, pino.destination(2));
const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The whole gateway, which nobody calls. */
async function openGateway({ role, endpoints }: Begin): Promise<Sender> {
  const roles = { all: 'all', emit: 'api', work: 'worker' };
  const settings = readSettings({
    ...process.env,
    DATA_DIR: folder,
    ROLE: roles[role],
    WEBHOOK_LOOPBACK: 'on',
  });
  const tier = isScale(settings) ? await openScale(settings, log) : await openEmbedded(join(folder, 'postgres'), settings, log);
  const keys = new Keyring(settings.SECRET_KEY === undefined ? randomBytes(32) : Buffer.from(settings.SECRET_KEY, 'hex'));
  const gateway = await startGateway({
    ...tier,
    settings,
    keys,
    log,
    operatorToken: randomBytes(16).toString('hex'),
  });
  const { change } = gateway.services;
  const rules = { catalogue: gateway.catalogue, allowLoopback: true, keys };
  for (const { url, subject, maxPerSecond = null } of endpoints) {
    const limit = { perimeter: [subject], max_per_second: maxPerSecond };
    const input = {
      service: 'pos' as const,
      url,
      description: '',
      events: [sold.type],
      active: true,
      ...limit,
    };
    await change((one) => createEndpoint(one, input, rules));
  }
  return {
    emit: (subject) => change(async ({ emit }) => emit(sold, { subject, data: { filling, emitted_at: nowMs() } })),
    async settled() {
      while ((await tier.store.list('deliveries', { where: { status: 'pending' }, limit: 1 })).length > 0) await pause(10);
    },
    close: gateway.close,
  };
}

/** As many attempts at once as a gateway makes (WEBHOOK_CONCURRENCY). */
const concurrency = 100;

/** A queue and a worker of BullMQ, which signs and POSTs the same bytes and stores nothing but its jobs. */
async function openBare({ role, endpoints }: Begin): Promise<Sender> {
  const { REDIS_URL, REDIS_PREFIX: prefix } = process.env;
  const isEmbedded = REDIS_URL === undefined;
  const connection = isEmbedded ? await openPglite() : new Redis(REDIS_URL, { maxRetriesPerRequest: null });
  const backend = (isEmbedded ? createPostgresBackend : undefined) as never;
  const shared = { connection, ...(prefix !== undefined && { prefix }) };
  const forgetful = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue('bare', { ...shared, defaultJobOptions: forgetful } as never, backend);
  const agent = new Agent();
  const secret = newSigningSecret();
  const send = async ({ data: { id, url, emitted_at } }: { data: { id: string; url: string; emitted_at: number } }) => {
    const data = { filling, emitted_at };
    const body = JSON.stringify({ event: sold.type, delivered_at: new Date().toISOString(), data });
    const signed = {
      eventId: id,
      body,
      atMs: Date.now(),
      secrets: [secret],
      headerName: 'X-SERVICE-Signature',
    };
    const headers = { 'content-type': 'application/json', ...signatureHeaders(signed) };
    const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await response.body.dump();
  };
  const worker = role === 'emit' ? undefined : new Worker('bare', send as never, { ...shared, concurrency } as never, backend);
  const logError = (error: Error) => log.error({ err: error });
  queue.on('error', logError);
  worker?.on('error', logError);
  let events = 0;
  return {
    async emit(subject) {
      const id = `evt_${events++}`;
      const wanted = endpoints.filter((one) => one.subject === subject);
      const jobs = wanted.map(({ url }) => ({ name: 'send', data: { id, url, emitted_at: nowMs() } }));
      await queue.addBulk(jobs as never);
    },
    async settled() {
      for (;;) {
        const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
        if (waiting + active === 0) return;
        await pause(10);
      }
    },
    async close() {
      await worker?.close();
      await queue.close();
      await agent.close();
    },
  };
}

/** The embedded tier's database with the tables of BullMQ, as `gateway/queue/embedded.ts` opens it. */
async function openPglite(): Promise<PglitePool> {
  const pool = await PglitePool.open(join(folder, 'postgres'), { isDurable: true });
  const client = await pool.connect();
  await runMigrations(client, 'bullmq');
  await client.query('set search_path to bullmq, public');
  client.release();
  return pool;
}

const sender = begin.variant === 'gateway' ? await openGateway(begin) : await openBare(begin);
/** Callers whose changes run side by side. */
const callers = 16;

const asks = {
  /** Emits so many events as fast as possible, and returns when it began, in milliseconds since 1970. */
  async emit({ events, subject }: { events: number; subject: string }): Promise<number> {
    const began = nowMs();
    let left = events;
    const emitInTurn = async () => {
      while (left-- > 0) await sender.emit(subject);
    };
    await Promise.all(Array.from({ length: callers }, emitInTurn));
    return began;
  },
  /** Emits so many events of each subject, at a steady rate. */
  async emitAtRate({ events, perSecond, subjects }: { events: number; perSecond: number; subjects: string[] }): Promise<void> {
    const began = nowMs();
    for (let event = 0; event < events; event++) {
      await pause(Math.max(0, began + (event * 1000) / perSecond - nowMs()));
      for (const subject of subjects) await sender.emit(subject);
    }
  },
  settled: () => sender.settled(),
  close: () => sender.close(),
  /** Returns the CPU time of this process with all its threads, in microseconds. */
  cpuUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
export type SenderAsks = typeof asks;

answerAsks(asks);
