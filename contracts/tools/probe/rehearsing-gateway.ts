import { openLog } from '../../../gateway/base/log.ts';
import { MemoryCounters } from '../../../gateway/http/limit/memory-counters.ts';
import { nobodyListens } from '../../../gateway/webhooks/model/listener.ts';
import { isHarmless } from '../../../spec/gaps/harmless.ts';
import type { JsonReply } from '../../../spec/json.ts';
import { openApp, type StubAppParts } from '../../../stubs/app.ts';
import { openCore } from '../../../stubs/core.ts';
import { Faults } from '../../../stubs/faults/faults.ts';
import { Journal } from '../../../stubs/journal/journal.ts';
import { parsed } from '../assumptions/asked.ts';
import { type OpenGateway, type Sent, ShiftedClock } from '../reference-gateway.ts';
import { candidatesOf, excludes } from './candidates.ts';
import { compatibleGroups, eachAlone } from './search/groups.ts';
import type { Version } from './shown.ts';
import { injection, openTwin } from './twin.ts';

/** Opens a reference implementation with a twin, which makes each call under the alternatives of the register before it is made. */
export const openRehearsingGateway: OpenGateway = async (name) => {
  const clock = new ShiftedClock();
  let counters = new MemoryCounters(clock);
  const core = await openCore(name, {
    clock,
    log: openLog('silent'),
    listener: nobodyListens,
    console: false,
    mobileMoney: name === 'pos' ? { rules: [], ended() {} } : undefined,
  });
  const parts: StubAppParts = {
    core,
    journal: new Journal(),
    faults: new Faults(),
    cors: [],
    help: false,
    console: false,
    count: (...call) => counters.count(...call),
    about: noPages,
    tryIt: { filled: noPages, forms: noPages, token: noPages },
  };
  const app = await openApp(parts);
  await app.ready();
  const twin = await openTwin(parts, {});
  const empty = await core.memory.remember();
  core.webhooks.start();
  const candidates = candidatesOf(name).filter(({ gap }) => !isHarmless(gap));
  const all = candidates.map(({ id }) => id);
  const groups = compatibleGroups(all, excludes);

  const othersTo = async ({ method, path: url, headers, body: payload }: Sent): Promise<Record<string, JsonReply>> => {
    const others: Record<string, JsonReply> = {};
    clock.hold();
    try {
      await twin.rehearse(injection({ method: method as 'GET', url, headers, payload }), async (effectUnder) => {
        const under = async (ids: readonly string[]) => (await effectUnder(ids, counters.copy())).reply;
        const control = await under([]);
        for (const ids of groups)
          await eachAlone(ids, { control, under }, (id, reply) => {
            others[id] = jsonReplyOf(reply);
          });
      });
      return others;
    } finally {
      clock.release();
    }
  };

  return {
    app,
    operatorToken: core.operatorToken,
    prefix: '',
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

const jsonReplyOf = (reply: Version | null): JsonReply => ({
  status: reply?.status ?? 0,
  headers: reply?.headers ?? {},
  body: parsed(reply?.text ?? ''),
});

const noPages = (): never => {
  throw new Error('This reference serves no pages.');
};
