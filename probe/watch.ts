import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../contracts/documents/services.ts';
import { type HarmlessPart, harmlessChanges } from '../contracts/gaps/harmless.ts';
import type { JsonMessage, JsonReply } from '../contracts/tools/assumptions/alternative.ts';
import { otherMessage } from '../contracts/tools/assumptions/alternative.ts';
import { MemoryCounters } from '../gateway/http/limit/memory-counters.ts';
import { askedOf, nothingKnown } from '../stubs/assume/asked.ts';
import { repliedOtherwise, understoodOtherwise } from '../stubs/assume/calls.ts';
import { liveOf } from '../stubs/assume/live.ts';
import type { Harmless, ListQuery, Live } from '../stubs/assume/types.ts';
import { decidedByStub, isDecidedOtherwise, mayCauseOtherWebhooks } from './decided.ts';
import { changesText, harmlessSides } from './harmless.ts';
import { shownMessage, shownReply } from './shown.ts';
import type { Candidate, Difference, Shown } from './types.ts';

/** What a plain run showed. */
export interface Seen {
  /** The alternatives that would have changed something, and the first thing that each would have changed. */
  exercised: Map<string, Difference>;
  /** The same, if anybody receives webhooks. */
  withReceiver: Map<string, Difference>;
}

export const nothingSeen = (): Seen => ({ exercised: new Map(), withReceiver: new Map() });

/**
 * Watches a plain stub, with its store at hand: which alternatives would have changed a reply or a webhook, had they been active
 * one at a time? It takes the place of the active alternatives, and changes nothing. An alternative that has been seen once is not
 * looked at again.
 */
export function watching(api: ServiceName, candidates: readonly Candidate[], { exercised, withReceiver }: Seen): Live {
  const lives = new Map(candidates.map((one) => [one.id, liveOf(api, { [one.gap]: one.alternative })]));
  const unseen = () => [...lives].filter(([id]) => !exercised.has(id));
  /** Where requests are understood otherwise. The reply tells more, if there is one that differs. */
  const understood = new WeakMap<FastifyRequest, Map<string, JsonReply | true>>();
  const see = (id: string, difference: Difference) => {
    if (!exercised.has(id)) exercised.set(id, difference);
  };
  const whereOf = (request: FastifyRequest) => askedOf(request, nothingKnown).operation;
  const tokensSeen = new Set<string>();
  /** What each alternative of a limit would have counted. */
  const countersOf = new Map<string, MemoryCounters>();
  const partsOf = new Map(
    candidates.flatMap(({ id, gap }) => {
      const change = harmlessChanges.find((one) => one.id === gap);
      return change ? [[id, change] as const] : [];
    }),
  );
  /** Harmless changes are not asked: each changes every reply or webhook of its kind. */
  const seeHarmless = (
    parts: readonly HarmlessPart[],
    where: string,
    before: Shown,
    isChanged: (gap: string, harmless: Harmless | undefined) => boolean,
  ) => {
    for (const [id, { harmless }] of unseen()) {
      const change = partsOf.get(id);
      if (!change?.parts.some((part) => parts.includes(part)) || !isChanged(change.id, harmless)) continue;
      see(id, { where, before, ...(harmless && harmlessSides(change.id, before, harmless)) });
    }
  };

  return {
    ...{ list: [], variants: [], limits: [] },
    count(call, { count, clock }) {
      const counted = count(call.request, call.rule, call.increment);
      if (counted === null) return counted;
      for (const [id, live] of unseen()) {
        if (live.count === undefined || decidedByStub.has(id)) continue;
        const own = countersOf.get(id) ?? new MemoryCounters(clock);
        countersOf.set(id, own);
        if (!isDeepStrictEqual(live.count(call, { count: own.count, clock }), counted))
          see(id, { where: `the limits of ${whereOf(call.request)}` });
      }
      return counted;
    },
    tokens: [
      {
        token(authorization, headers) {
          for (const [id, live] of unseen())
            for (const { token } of live.tokens) if (token?.(authorization, headers) !== authorization) tokensSeen.add(id);
          return authorization;
        },
      },
    ],
    reply: (reply) => reply,
    message(message) {
      // Without headers it is the event as it is stored. It counts if it is sent to somebody.
      if (Object.keys(message.metadata).every((name) => name === 'caused_by')) {
        for (const [id, live] of unseen()) {
          const after = otherMessage({ gap: '', id: '', message: live.message }, message);
          if (after && !isDeepStrictEqual(after.body, message.body))
            withReceiver.set(id, messageDifference({ ...message, metadata: {} }, { ...after, metadata: {} }));
        }
        return message;
      }
      for (const [id] of unseen()) if (id.endsWith('.event-order=twice')) see(id, { where: `webhook ${message.event}` });
      const text = JSON.stringify(message.body);
      seeHarmless(['webhooks'], `webhook ${message.event}`, shownMessage(message), (gap, harmless) =>
        changesText(gap, text, harmless),
      );
      for (const [id, live] of unseen()) {
        const after = otherMessage({ gap: '', id: '', message: live.message }, message);
        if (after) see(id, messageDifference(message, after));
      }
      return message;
    },
    async begin(_, parts, request) {
      const found = new Map<string, JsonReply | true>();
      for (const id of tokensSeen) found.set(id, true);
      tokensSeen.clear();
      for (const [id, live] of unseen()) {
        for (const rule of live.limits)
          if ((await parts.count(request, rule, false)) !== null) see(id, { where: `the limits of ${whereOf(request)}` });
        const otherwise = await understoodOtherwise(live, parts, request);
        if (otherwise === true) found.set(id, true);
        else if (otherwise !== false)
          found.set(
            id,
            'body' in otherwise
              ? otherwise
              : { status: otherwise.status, headers: {}, body: parts.errorBody(otherwise.status, otherwise) },
          );
      }
      understood.set(request, found);
      return true;
    },
    finish(_, _parts, request, reply, payload) {
      const where = whereOf(request);
      const found = understood.get(request);
      for (const [id, live] of unseen()) {
        const changed = repliedOtherwise(live, request, reply, payload);
        if (changed) see(id, { where, before: shownReply(changed.before), after: shownReply(changed.after) });
      }
      for (const [id, other] of found ?? []) {
        const before = replyAs(reply, payload);
        if (other === true) see(id, { where, before });
        else if (isAnotherRefusal(before, shownReply(other)))
          see(id, { where, before, after: { ...shownReply(other), headers: before.headers } });
      }
      for (const [id] of unseen()) {
        if (isDecidedOtherwise(id, request, reply.statusCode)) see(id, { where, before: replyAs(reply, payload) });
        if (mayCauseOtherWebhooks(id, request, reply.statusCode)) withReceiver.set(id, { where: `the webhooks of ${where}` });
      }
      const isChanged = (gap: string, harmless: Harmless | undefined) =>
        (narrow[gap]?.(request, reply) ?? true) && changesText(gap, payload, harmless);
      seeHarmless(['replies', 'headers', 'connection'], where, replyAs(reply, payload), isChanged);
      return payload;
    },
    rows: {
      changes: [
        async (table, row, rows) => {
          for (const [id, live] of unseen())
            for (const change of decidedByStub.has(id) ? [] : (live.rows?.changes ?? []))
              if (!isDeepStrictEqual(await change(table, row, rows), row)) see(id, { where: `the rows of ${table}` });
          return row;
        },
      ],
    },
    seeds: [],
    lists: [
      (query) => {
        const where = `the list of ${query.table}`;
        const filters: { id: string; keeps: NonNullable<ListQuery['keeps']> }[] = [];
        for (const [id, live] of unseen())
          for (const change of live.lists) {
            const { keeps, ...changed } = change(query);
            if (!isDeepStrictEqual({ keeps: query.keeps, ...changed }, { keeps: undefined, ...query })) see(id, { where });
            else if (keeps !== undefined && keeps !== query.keeps) filters.push({ id, keeps });
          }
        if (filters.length === 0) return query;
        // Which rows there are decides whether a filter changes the list.
        return {
          ...query,
          keeps(row) {
            for (const { id, keeps } of filters) if (!keeps(row)) see(id, { where });
            return query.keeps?.(row) ?? true;
          },
        };
      },
    ],
    isActive(id) {
      if (lives.has(id) && !decidedByStub.has(id)) see(id, { where: 'the behaviour of the service' });
      return false;
    },
    alternativeOf(gap) {
      for (const { id } of candidates.filter((one) => one.gap === gap))
        if (!decidedByStub.has(id)) see(id, { where: 'the behaviour of the service' });
      return undefined;
    },
    learn: async () => nothingKnown,
    look: async () => nothingKnown,
    refuses: () => undefined,
    trueHelp: (help) => help,
    harmless: undefined,
  };
}

/** Harmless changes that are not made to every reply. */
const narrow: Readonly<Record<string, (request: FastifyRequest, reply: FastifyReply) => boolean>> = {
  'harmless.gzip': ({ headers }) => headers['accept-encoding'] !== undefined,
  'harmless.longer-ids': ({ method, url }, { statusCode }) => method === 'POST' && !url.endsWith('/auth') && statusCode < 300,
  'harmless.shorter-pages': ({ query }) => Number((query as Record<string, unknown>).per_page) > 1,
};

/** A refusal has further headers when it is sent, which follow from its status. */
const isAnotherRefusal = (before: Shown, after: Shown): boolean =>
  !isDeepStrictEqual([before.status, before.body], [after.status, after.body]);

const replyAs = (reply: { statusCode: number; getHeaders(): object }, payload: unknown) =>
  shownReply({
    status: reply.statusCode,
    headers: Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    body: payload === undefined || payload === null ? undefined : String(payload),
  });

const messageDifference = (before: JsonMessage, after: JsonMessage): Difference => ({
  where: `webhook ${before.event}`,
  before: shownMessage(before),
  after: shownMessage(after),
});
