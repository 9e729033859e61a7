import type { ClientRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { MemoryCounters } from '../../../gateway/http/limit/memory-counters.ts';
import { MemoryStore, type Written } from '../../../gateway/store/memory/store.ts';
import { cohesionTables } from '../../../gateway/store/tables/cohesion.ts';
import type { Row, TableName } from '../../../gateway/store/tables/index.ts';
import { posTables } from '../../../gateway/store/tables/pos.ts';
import { nobodyListens } from '../../../gateway/webhooks/model/listener.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { openApp, type StubAppParts } from '../../../stubs/app.ts';
import { Assumptions } from '../../../stubs/assume/assumptions.ts';
import { type Assumed, parseAssumed } from '../../../stubs/assume/chosen.ts';
import { type Live, liveOf } from '../../../stubs/assume/live.ts';
import { type Core, openCore } from '../../../stubs/core.ts';
import { Faults } from '../../../stubs/faults/faults.ts';
import { Journal } from '../../../stubs/journal/journal.ts';
import { bodyTextOf } from '../../../stubs/request-body.ts';
import type { Version } from './shown.ts';

/** What something leads to. The ids and references that it makes have zeros. */
export interface Effect {
  /** Null if it was no call. */
  reply: Version | null;
  /** The events that somebody gets. */
  events: { type: string; body: string }[];
  /** The rows of the API that were written, as texts. */
  rows: string[];
}

/** The effect under these alternatives, with calls counted by these counters. */
export type EffectUnder = (ids: readonly string[], counters: MemoryCounters) => Promise<Effect>;

export type Act = (twin: { core: Core; app: FastifyInstance }) => Promise<Version | null>;

/** A stub that does what a plain one is about to do, with the same rows and at the same time, under alternatives. It is undone. */
export type Twin = Awaited<ReturnType<typeof openTwin>>;

/** `base`: the plain one's own alternatives. */
export async function openTwin(parts: StubAppParts, base: Assumed) {
  const plain = parts.core;
  const api = plain.provider.api.name as ServiceName;
  const assumptions = new Assumptions(api);
  let nowMs = 0;
  // The twin does nothing later: the plain stub does all work that falls due later.
  const clock = { now: () => nowMs, after: () => () => {} };
  const core = await openCore(api, {
    clock,
    log: plain.log,
    listener: nobodyListens,
    console: false,
    assumptions,
    memory: new MemoryStore({}, plain.memory),
    mobileMoney: plain.payments && { rules: [], ended() {} },
  });
  // Nothing is sent.
  core.queue.work(async () => {}, { concurrency: 1000 });
  let counters = new MemoryCounters(clock);
  const app = await openApp({
    ...parts,
    core,
    assumptions,
    journal: new Journal(),
    faults: new Faults(),
    help: false,
    console: false,
    // A call without limits has none here either.
    count: (request, rule, increment) => parts.count(request, rule, false) && counters.count(request, rule, increment),
  });
  const lives = new Map<string, Live | undefined>();
  const liveUnder = (ids: readonly string[]) => {
    const [key, assumed] = [ids.join(), { ...base, ...parseAssumed(ids) }];
    if (!lives.has(key)) lives.set(key, Object.keys(assumed).length > 0 ? liveOf(api, assumed) : undefined);
    return lives.get(key);
  };
  return {
    /** Counters that follow the twin's clock. */
    counters: () => new MemoryCounters(clock),
    /** Shows to `judge` what this leads to under alternatives. The plain stub waits meanwhile. */
    rehearse: (act: Act, judge: (effectUnder: EffectUnder) => Promise<void>) =>
      plain.memory.lend(core.memory, async (undo) => {
        nowMs = plain.services.clock.now();
        await judge(async (ids, counting) => {
          assumptions.become(liveUnder(ids));
          counters = counting;
          // Its rows change without a write.
          core.dropCachedRows();
          if (plain.payments) core.payments?.goOnAs(plain.payments);
          const reply = await act({ core, app });
          await core.webhooks.settled();
          return effectOf(reply, undo());
        });
      }),
  };
}

export function sameCall(request: FastifyRequest): Act {
  const { originalUrl: url, ip: remoteAddress } = request;
  // An alternative may have taken a header away.
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => value !== undefined));
  return injection({ method: request.method as 'GET', url, headers, remoteAddress, payload: bodyTextOf(request) });
}

/** A call that is made to a twin. An empty payload is none. */
export const injection =
  ({ payload, ...call }: InjectOptions): Act =>
  async ({ app }) => {
    const reply = await app.inject({ ...call, ...(payload !== '' && { payload }) });
    const { connection, 'transfer-encoding': coding, 'content-encoding': compression } = reply.headers;
    // Names are as they are written. Node has these methods for replies too, but its types do not.
    const raw = reply.raw.res as unknown as Pick<ClientRequest, 'getRawHeaderNames' | 'getHeader'>;
    const named = raw.getRawHeaderNames().map((name) => [name, String(raw.getHeader(name))]);
    return {
      status: reply.statusCode,
      headers: { ...Object.fromEntries(named), connection: String(connection), ...(coding && { 'transfer-encoding': coding }) },
      text: String(compression === 'gzip' ? gunzipSync(reply.rawPayload) : reply.rawPayload),
    };
  };

// Idempotency keys are left out: a stored key has an effect only when the same key is sent again.
const { idempotency_keys: _, ...posData } = posTables;
const tablesOfApis: ReadonlySet<string> = new Set(Object.keys({ ...posData, ...cohesionTables }));

/** Ids, and references of sales. */
const identifying = /\b[a-z]+_[0-9a-f]{32}\b|\bS-\d{8}-\w+/g;
const withZeros = (id: string) => id.replace(/[^_-]*$/, (own) => '0'.repeat(own.length));

function effectOf(reply: Version | null, written: readonly Written[]): Effect {
  const made = new Set(written.flatMap(({ before, after }) => (before ? [] : [after?.id, after?.reference])));
  const alike = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(identifying, (id) => (made.has(id) || id.startsWith('call_') ? withZeros(id) : id)));
  const rowsOf = <T extends TableName>(name: T) =>
    written.flatMap(({ table, after }) => (table === name && after ? [after as Row<T>] : []));
  const received = new Set(rowsOf('deliveries').map(({ event_id }) => event_id));
  const events = rowsOf('events').filter(({ id }) => received.has(id));
  const rows = written.filter(({ table, before, after }) => tablesOfApis.has(table) && !isDeepStrictEqual(before, after));
  return {
    reply: alike(reply),
    events: events.map(({ type, body }) => alike({ type, body })),
    rows: rows.map(({ table, after }) => JSON.stringify(alike([table, after ?? null]))).sort(),
  };
}
