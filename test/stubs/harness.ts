import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../gateway/base/clock.ts';
import type { Refusal } from '../../gateway/base/errors.ts';
import { idMaker } from '../../gateway/base/ids.ts';
import { recordCalls } from '../../gateway/http/record/record.ts';
import { Examples } from '../../stubs/examples/reply.ts';
import { Faults } from '../../stubs/faults/faults.ts';
import { installFaults } from '../../stubs/faults/install.ts';
import type { FaultRule } from '../../stubs/faults/types.ts';
import type { RecordedCall } from '../../stubs/journal/call.ts';
import { Journal, type JournalOptions } from '../../stubs/journal/journal.ts';
import { journalSink, keepUnreadBodies } from '../../stubs/journal/sink.ts';

/** A clock whose waits end when the test calls `end`, the oldest first. */
export class HandClock implements Clock {
  readonly waits: { ms: number; over: () => void }[] = [];
  #began = Promise.withResolvers<void>();

  now(): number {
    return Date.UTC(2026, 0, 15);
  }

  after(ms: number, over: () => void): () => void {
    const wait = { ms, over };
    this.waits.push(wait);
    this.#began.resolve();
    this.#began = Promise.withResolvers();
    return () => {
      const at = this.waits.indexOf(wait);
      if (at >= 0) this.waits.splice(at, 1);
    };
  }

  /** Resolves with the length of the oldest wait, once there is one. */
  async begun(): Promise<number> {
    while (this.waits.length === 0) await this.#began.promise;
    return this.waits[0]?.ms ?? Number.NaN;
  }

  /** Ends the oldest wait. */
  end(): void {
    this.waits.shift()?.over();
  }
}

const example = (name: string, status: number, body: object, headers = {}) => ({
  operation: 'createThing',
  name,
  cause: `It is ${name}.`,
  status,
  headers,
  body,
});
const examples = new Examples(() => [
  example('made', 201, { id: 'thing_1' }),
  example('gone', 404, { error: 'gone' }, { 'x-gone': 'yes' }),
  example('never', 404, { error: 'never was' }),
]);

export interface Stub {
  url: string;
  app: FastifyInstance;
  journal: Journal;
  faults: Faults;
  /** The number of times that the work was done. */
  worked: { times: number };
}

interface StubOptions {
  rules?: (FaultRule | string)[];
  seed?: number;
  clock?: Clock;
  journal?: JournalOptions;
  faultsFirst?: boolean;
}

/** A small API on its own socket, with a journal and faults. */
export async function stub({ rules = [], seed = 1, clock, journal: options, faultsFirst }: StubOptions = {}): Promise<Stub> {
  const genReqId = idMaker('call', () => Date.now());
  const app = Fastify({ genReqId, bodyLimit: 512 * 1024, forceCloseConnections: true });
  const journal = new Journal(options);
  const faults = new Faults(rules, { seed, examples, ...(clock && { clock }) });
  const worked = { times: 0 };
  const errorBody = (status: number, { code, message }: { code: string; message: string }) => ({
    error: { status, code, message },
  });
  const installs = [
    () => {
      recordCalls(app, { sinks: [journalSink(journal)], apiOf: () => 'gateway', unfinished: true });
      keepUnreadBodies(app);
    },
    () => installFaults(app, faults, { invalidStatus: 400, errorBody }),
  ];
  for (const install of faultsFirst ? installs.toReversed() : installs) install();

  // As an API of the gateway does (`http/mount.ts`).
  app.decorateRequest('refusal', null);
  app.addHook('onError', async (request, _reply, error) => {
    request.refusal = error as unknown as Refusal;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === 'Bearer wrong') return reply.code(401).send({ error: 'unknown token' });
  });
  app.post('/things', { schema: { operationId: 'createThing' } as object }, async (request, reply) => {
    worked.times += 1;
    return reply.code(201).send({ id: `thing_${worked.times}`, got: request.body });
  });
  app.get('/things/:id', { schema: { operationId: 'readThing' } as object }, async (request) => {
    worked.times += 1;
    return { id: (request.params as { id: string }).id, names: ['é', 'ü'] };
  });
  app.delete('/things/:id', { schema: { operationId: 'deleteThing' } as object }, async (_request, reply) =>
    reply.code(204).send(),
  );
  app.get('/broken', () => Promise.reject(new TypeError('a bug')));
  app.get('/own', { config: { recorded: false } as object }, async () => 'mine');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { url, app, journal, faults, worked };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/things`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Returns the code of the error that made a fetch fail, such as `ECONNRESET`. */
export async function failureOf(doing: Promise<unknown>): Promise<string> {
  const error = (await doing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as { cause?: { code?: string; message?: string } } | undefined;
  return error?.cause?.code ?? error?.cause?.message ?? String(error);
}

/** Sends text on a plain socket. Returns everything received until its end, and the error that ended it. */
export async function rawCall(url: string, text: string): Promise<{ received: string; error: string | undefined }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  let error: string | undefined;
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', (thrown: NodeJS.ErrnoException) => {
    error = thrown.code;
  });
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return { received, error };
}

/** A call in the form that a journal keeps. */
export function call(over: Partial<RecordedCall> = {}): RecordedCall {
  return {
    id: 'call-1',
    at: '2026-01-15T09:30:00.000Z',
    method: 'POST',
    path: '/things',
    url: '/things',
    query: {},
    operation: 'createThing',
    requestHeaders: { host: 'localhost:8080', 'content-type': 'application/json', authorization: 'Bearer abc' },
    requestBody: '{"name":"a"}',
    status: 201,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: '{"id":"thing_1"}',
    durationMs: 1.5,
    ...over,
  };
}
