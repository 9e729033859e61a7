import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { resetFeatures } from '../../gateway/base/features.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import { MemoryCounters } from '../../gateway/http/limit/memory-counters.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { openApp } from '../app.ts';
import { StubClock } from '../clock.ts';
import { openCore } from '../core.ts';
import { openData } from '../data.ts';
import { Faults } from '../faults/faults.ts';
import { Journal } from '../journal/journal.ts';
import { type Asked, atMs, type Cause } from './causes/cause.ts';
import * as cohesion from './causes/cohesion.ts';
import * as pos from './causes/pos.ts';
import type { ExampleReply, WrittenExample } from './reply.ts';

interface Scenes {
  seed: object;
  requests: Readonly<Record<string, Asked>>;
  causes: readonly Cause[];
  signedIn(scene: { call(asked: Asked): Promise<Record<string, unknown>> }): Promise<Record<string, string>>;
}

/** The causes, correct requests and data of each API. */
export const scenes: Readonly<Record<ServiceName, Scenes>> = { pos, cohesion };

/** An example with the code of the refusal, which some replies do not show. */
export type GivenReply = ExampleReply & { code: string | undefined };

/** Makes the call of each cause to the reference implementation, with fresh data each time. Returns its replies. */
export async function replies(api: ServiceName): Promise<GivenReply[]> {
  const { causes, requests } = scenes[api];
  const reference = await openReference(api);
  const given: GivenReply[] = [];
  for (const cause of causes)
    for (const operation of Object.keys(requests))
      if (cause.operations === undefined || cause.operations.includes(operation))
        given.push(await reference.play(operation, cause));
  await reference.close();
  return given;
}

/** The examples as they are written: those that differ only in their operation share an entry. */
export function written(given: readonly GivenReply[]): WrittenExample[] {
  const entries: WrittenExample[] = [];
  for (const { operation, code: _code, ...example } of given) {
    const same = entries.find(({ operations: _operations, ...other }) => isDeepStrictEqual(other, example));
    if (same) same.operations.push(operation);
    else entries.push({ ...example, operations: [operation] });
  }
  return entries;
}

async function openReference(api: ServiceName) {
  const { seed, requests, signedIn } = scenes[api];
  const clock = new StubClock(atMs);
  const log = pino({ level: 'silent' });
  const counters = new MemoryCounters(clock);
  const journal = new Journal();
  const core = await openCore(api, { clock, log, listener: nobodyListens, console: false });
  const data = await openData(api, { ...core, assumptions: { live: undefined } }, { seed });
  let limited = false;
  const app = await openApp({
    core,
    journal,
    cors: [],
    faults: new Faults(),
    count: counters.count,
    help: false,
    console: false,
    operationLimits: operationLimits(requests, () => limited),
    about: () => ({ api, url: '', credentials: data.credentials, known: data.known }),
    tryIt: { filled: (_name, document) => document, forms: (_name, document) => document, token: async () => undefined },
  });
  const call = async (asked: Asked) => (await sent(asked)).json<Record<string, unknown>>();
  const sent = ({ method, url, headers, body }: Asked) => {
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
    return app.inject({ method: method as 'GET', url, headers: { ...typed, ...headers }, ...payload });
  };

  return {
    async play(operation: string, { name, cause, ask }: Cause): Promise<GivenReply> {
      await resetFeatures([clock, counters, { reset: () => journal.clear() }, { reset: () => core.dropCachedRows() }, data]);
      limited = false;
      const request = requests[operation] as Asked;
      const isOpen = request.url === '/api/auth';
      const correct = { ...request, headers: isOpen ? {} : await signedIn({ call }) };
      let repaired = () => {};
      const asked = await ask?.({
        core,
        correct,
        call,
        advance: (byMs) => clock.advance(byMs, core.webhooks.settled),
        failStore: (error) => {
          core.dropCachedRows();
          repaired = failing(core.memory, error);
        },
        limitOperations: () => {
          limited = true;
        },
      });
      const reply = await sent(asked ?? correct);
      repaired();
      const code = journal.calls().at(-1)?.refusal?.code;
      const [headers, body] = [headersOf(reply.headers), JSON.parse(stable(reply.body))];
      return { operation, name, cause, status: reply.statusCode, headers, body, code };
    },
    async close(): Promise<void> {
      await app.close();
      await core.webhooks.close();
      clock.close();
    },
  };
}

/** A limit on each operation that has none of its own, as an operator may set it (OPERATION_LIMITS). */
const operationLimits = (requests: Scenes['requests'], holdsFor: () => boolean): Map<string, LimitRule> =>
  new Map(
    Object.entries(requests)
      .filter(([, { method }]) => method === 'GET')
      .map(([name]) => {
        const key: LimitRule['key'] = (request) => request.caller?.id ?? request.ip;
        return [name, { name: `operation-${name}`, windowMs: 60_000, max: 60, per: 'caller', holdsFor, key }];
      }),
  );

/** Makes every statement of a store fail. Returns the function that repairs it. */
function failing(store: object, error: Error): () => void {
  const names = ['get', 'list', 'count', 'newest', 'summarize', 'insert', 'append', 'update', 'transaction'];
  const before = names.map((name) => [name, Reflect.get(store, name)] as const);
  for (const name of names) Reflect.set(store, name, () => Promise.reject(error));
  return () => {
    for (const [name, method] of before) Reflect.set(store, name, method);
  };
}

/** Headers of every reply, and those that depend on the connection. */
const usual = /^(x-content-type-options|cache-control|x-request-id|date|connection|keep-alive|content-length|content-type)$/;

const headersOf = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !usual.test(name))
      .map(([name, value]) => [name, String(value)]),
  );

/** The text with ids, references and tokens that are the same each time. */
const stable = (text: string): string =>
  text
    .replace(/\b([a-z]+)_[0-9a-f]{32}\b/g, '$1_019aa5b0c1d27e3f8a4b5c6d7e8f9012')
    .replace(/\bS-20261121-[0-9A-Z]{6}\b/g, 'S-20261121-7K3M9Q')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhY2NfMSJ9.c2lnbmF0dXJl');
