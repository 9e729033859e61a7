import { causeOf, type OpenGateway, type Sent, ShiftedClock } from '../../contracts/tools/reference-gateway.ts';
import { single } from '../../contracts/tools/verification/answers.ts';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryCounters } from '../../gateway/http/limit/memory-counters.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { gaps, nameAlternative } from '../../spec/gaps/gaps.ts';
import { effectOn } from '../../spec/gaps/is/effect.ts';
import type { JsonReply } from '../../spec/json.ts';
import { askedBy, parsed } from '../../spec/openapi/asked.ts';
import { shownOfRequest } from '../../spec/openapi/operations.ts';
import { openApp } from '../app.ts';
import { openCore } from '../core.ts';
import { Faults } from '../faults/faults.ts';
import { Journal } from '../journal/journal.ts';
import { Assumptions } from './assumptions.ts';
import { type Live, liveOf } from './live.ts';

/** Opens a reference implementation that makes each call under the alternatives of the register before it makes it. */
export const openRehearsingGateway: OpenGateway = async (name) => {
  const clock = new ShiftedClock();
  const assumptions = new Assumptions(name);
  let counters = new MemoryCounters(clock);
  const core = await openCore(name, {
    clock,
    log: openLog('silent'),
    listener: nobodyListens,
    console: false,
    assumptions,
    mobileMoney: name === 'pos' ? { rules: [], ended() {} } : undefined,
  });
  const app = await openApp({
    core,
    assumptions,
    journal: new Journal(),
    faults: new Faults(),
    cors: [],
    help: false,
    console: false,
    count: (...call) => counters.count(...call),
    about: noPages,
    tryIt: { filled: noPages, forms: noPages, token: noPages },
  });
  await app.ready();
  const empty = await core.memory.remember();
  core.webhooks.start();
  const played = gaps.flatMap(({ api, id: gap, alternatives }) =>
    api === name ? alternatives.flatMap(({ id, is, notPlayed }) => (is && !notPlayed ? { gap, id, is } : [])) : [],
  );

  const othersTo = async ({ method, path: url, headers, body: payload }: Sent): Promise<Record<string, JsonReply>> => {
    const restore = await core.memory.remember();
    const counted = counters;
    /** Makes the call, and undoes it. */
    const replyUnder = async (live: Live | undefined): Promise<JsonReply> => {
      assumptions.become(live);
      counters = counted.copy();
      const reply = await app.inject({ method: method as 'GET', url, headers, ...(payload !== '' && { payload }) });
      await core.webhooks.settled();
      await core.payments?.stop();
      await restore();
      core.dropCachedRows();
      return { status: reply.statusCode, headers: single(reply.headers), body: parsed(reply.payload) };
    };
    clock.hold();
    try {
      const others: Record<string, JsonReply> = {};
      const reply = await replyUnder(undefined);
      const request = askedBy(name, method, url, headers, payload);
      const facts = shownOfRequest(name, request.operation);
      for (const { gap, id, is } of played) {
        if (effectOn({ request, reply }, is, facts) === undefined) continue;
        const other = await replyUnder(liveOf(name, { [gap]: id }));
        if (comparable(other) !== comparable(reply)) others[nameAlternative(gap, id)] = other;
      }
      return others;
    } finally {
      assumptions.become(undefined);
      counters = counted;
      clock.release();
    }
  };

  return {
    app,
    operatorToken: core.operatorToken,
    prefix: '',
    cause: causeOf(name, core.services),
    othersTo,
    async begin() {
      clock.reset();
      counters = new MemoryCounters(clock);
      await empty();
      core.dropCachedRows();
      return clock;
    },
    async end() {
      await core.provider.api.flush?.();
      await core.webhooks.settled();
    },
    async close() {
      await app.close();
      await core.webhooks.close();
    },
  };
};

/** Ids, and references of sales: each reply has others. */
const made = /\b[a-z]+_[0-9a-f]{32}\b|\bS-\d{8}-\w+/g;

/** Returns the reply as text, without what differs each time. */
const comparable = ({ status, headers: { date: _, ...headers }, body }: JsonReply): string =>
  JSON.stringify([status, headers, body]).replaceAll(made, '');

const noPages = (): never => {
  throw new Error('This reference serves no pages.');
};
