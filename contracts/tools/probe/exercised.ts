import { isDeepStrictEqual } from 'node:util';
import type { MemoryCounters } from '../../../gateway/http/limit/memory-counters.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { bodyOf, headersOf } from '../../../stubs/assume/attempts.ts';
import { askedOf } from '../../../stubs/assume/calls.ts';
import { assumedOf, parseAssumed } from '../../../stubs/assume/chosen.ts';
import { type Live, liveOf } from '../../../stubs/assume/live.ts';
import type { Core } from '../../../stubs/core.ts';
import { startWatchedStub } from '../../../stubs/start.ts';
import type { Stub, StubOptions } from '../../../stubs/types.ts';
import type { Watching } from '../../../stubs/watching.ts';
import { excludes, needsReceiver } from './candidates.ts';
import { compatibleGroups, eachAlone } from './search/groups.ts';
import { shownSides, type Version } from './shown.ts';
import { type Act, type Effect, openTwin, sameCall, type Twin } from './twin.ts';
import type { Difference, Played } from './types.ts';

/** The alternatives that would have changed something in a plain run, and what: one difference for each operation or webhook. */
export type Exercised = Map<string, Difference[]>;

/** `exercised`: what is found is added. */
interface Asked {
  candidates: readonly Played[];
  exercised: Exercised;
}

/**
 * Starts a stub, and finds the alternatives under which it would do something else. A twin of the stub repeats everything under
 * each alternative.
 */
export async function startExercised<A extends ServiceName>(api: A, options: StubOptions<A>, asked: Asked): Promise<Stub<A>> {
  let search!: Search;
  const stub = await startWatchedStub(api, options, {
    async open(parts) {
      search = new Search(asked, parts.core, await openTwin(parts, assumedOf(options.assume ?? {})));
    },
    called: (request) => search.rehearse(askedOf(request).operation, sameCall(request)),
    changes: (what, make) =>
      search.rehearse(what, async ({ core }) => {
        // A change that cannot be made has no effect.
        await make(core)?.catch(() => {});
        return null;
      }),
    message: (...sent) => search.lookAtMessage(...sent),
  });
  return stub;
}

/** Alternatives that are tried together. They count calls as if there were no others. */
interface Group {
  ids: readonly string[];
  counters: MemoryCounters;
}

class Search {
  readonly #asked: Asked;
  readonly #core: Core;
  readonly #twin: Twin;
  readonly #counters: MemoryCounters;
  readonly #groups: Group[];
  readonly #found = new Map<string, Set<string>>();
  readonly #lives: ReadonlyMap<string, Live>;

  constructor(asked: Asked, core: Core, twin: Twin) {
    const tried = asked.candidates.filter((one) => !needsReceiver(one)).map(({ id }) => id);
    const groups = compatibleGroups(tried, excludes);
    this.#asked = asked;
    this.#core = core;
    this.#twin = twin;
    this.#counters = twin.counters();
    this.#groups = groups.map((ids) => ({ ids, counters: twin.counters() }));
    this.#lives = new Map(asked.candidates.map(({ api, id }) => [id, liveOf(api, parseAssumed([id]))]));
  }

  /** Finds the alternatives under which the act has another effect. */
  rehearse(where: string, act: Act): Promise<void> {
    return this.#twin.rehearse(act, async (effectUnder) => {
      const control = await effectUnder([], this.#counters);
      for (const group of this.#groups) {
        const [ids, before] = [this.#unseen(group.ids, where), group.counters.copy()];
        let counting = group.counters;
        const under = async (some: readonly string[]) => {
          const effect = await effectUnder(some, counting);
          // Only the first trial, with all of them, counts the call. Later trials use a copy of the counters.
          counting = before.copy();
          return effect;
        };
        const see = (id: string, effect: Effect) => this.#see(id, where, differenceOf(where, control, effect));
        await eachAlone(ids, { control, under }, see);
        const rest = this.#unseen(ids, where);
        if (rest.length === ids.length) continue;
        // The others go on as if they had been alone.
        group.counters = before;
        await effectUnder(rest, before);
      }
    });
  }

  /** Looks at a webhook that is sent, with the headers of the reference. */
  lookAtMessage: Watching['message'] = (headers, event, secret) => {
    const where = `webhook ${event.type}`;
    for (const one of this.#asked.candidates) if (needsReceiver(one)) this.#see(one.id, where, { where });
    if (!this.#core.isOfApi(event.type)) return;
    const before: Version = { headers, text: event.body };
    for (const id of this.#unseen([...this.#lives.keys()], where)) {
      const live = this.#lives.get(id) as Live;
      const after: Version = { headers: headersOf(live, event, headers, secret), text: bodyOf(live, event) };
      if (!isDeepStrictEqual(after, before)) this.#see(id, where, { where, ...shownSides(before, after) });
    }
  };

  #unseen = (ids: readonly string[], where: string) => ids.filter((id) => !this.#found.get(where)?.has(id));

  #see(id: string, where: string, difference: Difference): void {
    const found = this.#found.get(where) ?? new Set();
    this.#found.set(where, found.add(id));
    const known = this.#asked.exercised.get(id) ?? [];
    if (!known.some((one) => one.where === difference.where)) this.#asked.exercised.set(id, [...known, difference]);
  }
}

function differenceOf(where: string, one: Effect, other: Effect): Difference {
  if (one.reply && other.reply && !isDeepStrictEqual(one.reply, other.reply))
    return { where, ...shownSides(one.reply, other.reply) };
  const at = other.events.findIndex((event, place) => !isDeepStrictEqual(event, one.events[place]));
  const [before, after] = [one.events[at], other.events[at]];
  if (before && after && before.type === after.type)
    return { where: `webhook ${after.type}`, ...shownSides(messageOf(before), messageOf(after)) };
  return { where: isDeepStrictEqual(one.events, other.events) ? where : `the webhooks of ${where}` };
}

const messageOf = ({ body }: Effect['events'][number]): Version => ({ headers: {}, text: body });
