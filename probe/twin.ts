import type { ClientRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../gateway/base/errors.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { MemoryStore, type Written } from '../gateway/store/memory/store.ts';
import { cohesionTables } from '../gateway/store/tables/cohesion.ts';
import { posTables } from '../gateway/store/tables/pos.ts';
import { nobodyListens } from '../gateway/webhooks/model/listener.ts';
import { openApp } from '../stubs/app.ts';
import { Assumptions } from '../stubs/assume/assumptions.ts';
import { type Assumed, parseAssumed } from '../stubs/assume/chosen.ts';
import { liveOf } from '../stubs/assume/live.ts';
import type { Live, Memory } from '../stubs/assume/types.ts';
import { type Core, openCore } from '../stubs/core.ts';
import { Faults } from '../stubs/faults/faults.ts';
import { Journal } from '../stubs/journal/journal.ts';
import type { PaymentEnd } from '../stubs/payments/types.ts';
import { bodyTextOf } from '../stubs/request-body.ts';
import type { WatchedStub } from '../stubs/watching.ts';
import type { Version } from './shown.ts';

/** Alternatives, with what they remember and how they have counted calls. */
export interface World {
  ids: readonly string[];
  live: Live | undefined;
  memory: Memory;
  counters: MemoryCounters;
}

/** What a call, or the end of a payment, leads to. */
export interface Effect {
  /** Undefined if it was no call. */
  reply: Version | undefined;
  /** The events that somebody gets. */
  events: { type: string; body: string }[];
  /** The ids and references that were made. */
  made: string[];
  /** All of it, and the rows of the API that were written, as texts without the ids and references that are made anew. */
  texts: { reply: string; events: string[]; rows: string[] };
}

/**
 * A stub that does not listen, beside a plain one. It does what the plain one is about to do, with the same rows and at the same time,
 * under alternatives. Its changes are undone.
 */
export class Twin {
  readonly #stub: WatchedStub;
  readonly #base: Assumed;
  readonly #assumptions: Assumptions;
  #core!: Core;
  #app!: FastifyInstance;
  #nowMs = 0;
  #counters: MemoryCounters;

  private constructor(stub: WatchedStub, base: Assumed) {
    this.#stub = stub;
    this.#base = base;
    this.#assumptions = new Assumptions(stub.api);
    this.#counters = this.world([]).counters;
  }

  /** `base`: alternatives of every world. */
  static async open(stub: WatchedStub, base: Assumed): Promise<Twin> {
    const twin = new Twin(stub, base);
    const { api, parts, mobileMoney, limits } = stub;
    const core = await openCore(api, {
      ...{ clock: twin.#clock, log: parts.core.log, listener: nobodyListens, console: false, assumptions: twin.#assumptions },
      memory: new MemoryStore({}, parts.core.memory),
      mobileMoney: mobileMoney && { rules: mobileMoney.rules, ended() {} },
    });
    // Nothing is sent.
    core.queue.work(async () => {}, { concurrency: 1000 });
    twin.#core = core;
    twin.#app = await openApp({
      ...{ ...parts, core, assumptions: twin.#assumptions, journal: new Journal(), faults: new Faults() },
      ...{ help: false, console: false, count: (...call) => (limits ? twin.#counters.count(...call) : null) },
    });
    return twin;
  }

  /** Stands still. What falls due later is done by the plain stub. */
  readonly #clock = { now: () => this.#nowMs, after: () => () => {} };

  world(ids: readonly string[], from?: Pick<World, 'memory' | 'counters'>): World {
    const { memory = new Map(), counters = new MemoryCounters(this.#clock) } = from ?? {};
    const assumed = { ...this.#base, ...parseAssumed(ids) };
    return { ids, memory, counters, live: Object.keys(assumed).length > 0 ? liveOf(this.#stub.api, assumed, memory) : undefined };
  }

  /** Lets `judge` see what `act` leads to in different worlds. The plain stub waits meanwhile. */
  rehearse(act: () => Promise<Version | undefined>, judge: (effectIn: (world: World) => Promise<Effect>) => Promise<void>) {
    const { parts, clock } = this.#stub;
    return parts.core.memory.lend(this.#core.memory, async (undo) => {
      this.#nowMs = clock.now();
      await judge(async ({ live, memory, counters }) => {
        this.#assumptions.play(live, memory);
        // Its rows change without a write.
        this.#core.dropCachedRows();
        if (parts.core.payments) this.#core.payments?.countOnFrom(parts.core.payments);
        this.#counters = counters;
        const reply = await act();
        await this.#core.webhooks.settled();
        return effectOf(reply, undo());
      });
    });
  }

  async call(request: FastifyRequest): Promise<Version> {
    const { method, originalUrl: url, headers, ip } = request;
    const payload = bodyTextOf(request);
    const {
      statusCode,
      rawPayload,
      raw,
      headers: sent,
    } = await this.#app.inject({
      ...{ method: method as 'GET', url, headers, remoteAddress: ip },
      ...(payload !== '' && { payload }),
    });
    // Not declared for replies.
    const names = (raw.res as unknown as Pick<ClientRequest, 'getRawHeaderNames'>).getRawHeaderNames();
    const named = names.map((name) => [name, String(raw.res.getHeader(name))]);
    const { connection, 'transfer-encoding': coding } = sent;
    return {
      status: statusCode,
      headers: { ...Object.fromEntries(named), connection: String(connection), ...(coding && { 'transfer-encoding': coding }) },
      text: String(sent['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload),
    };
  }

  async endPayment(id: string, as: PaymentEnd): Promise<undefined> {
    try {
      await this.#core.payments?.settle(id, as);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    return undefined;
  }
}

const tablesOfApis: ReadonlySet<string> = new Set(Object.keys({ ...posTables, ...cohesionTables }));

/** Ids, and references of sales. */
const identifying = /\b[a-z]+_[0-9a-f]{32}\w*|\bS-\d{8}-\w+/g;

function effectOf(reply: Version | undefined, written: readonly Written[]): Effect {
  const rowsOf = (name: string) => written.flatMap(({ table, after }) => (table === name && after ? [after] : []));
  const made = written.flatMap(({ before, after }) =>
    before ? [] : [after?.id, after?.reference].filter((one) => typeof one === 'string'),
  );
  const textOf = (value: unknown) =>
    JSON.stringify(value ?? null).replace(identifying, (one) =>
      made.includes(one) || one.startsWith('call_') ? '…'.repeat(one.length) : one,
    );
  const received = new Set(rowsOf('deliveries').map(({ event_id }) => event_id));
  const events = rowsOf('events').filter(({ id }) => received.has(id)) as unknown as Effect['events'];
  const rows = written.filter(({ table, before, after }) => tablesOfApis.has(table) && textOf(before) !== textOf(after));
  return {
    reply,
    events,
    made,
    texts: {
      reply: textOf(reply),
      events: events.map(({ type, body }) => textOf([type, body])),
      rows: rows.map(({ table, after }) => textOf([table, after])).sort(),
    },
  };
}
