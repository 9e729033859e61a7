import { isDeepStrictEqual } from 'node:util';
import type { ServiceName } from '../contracts/documents/services.ts';
import type { Need } from '../contracts/gaps/gap.ts';
import { parsed } from '../contracts/tools/assumptions/asked.ts';
import { assumedOf, parseAssumed } from '../stubs/assume/chosen.ts';
import { liveOf } from '../stubs/assume/live.ts';
import { headersOf } from '../stubs/assume/messages.ts';
import type { Live } from '../stubs/assume/types.ts';
import { startWatchedStub } from '../stubs/start.ts';
import type { Stub, StubOptions } from '../stubs/types.ts';
import type { WatchedStub, Watching } from '../stubs/watching.ts';
import { excluding, needOf } from './candidates.ts';
import { operationIn } from './operation.ts';
import { compatibleGroups } from './search/groups.ts';
import { shownSides, type Version } from './shown.ts';
import { type Act, type Effect, openTwin, sameCall, type Twin, type World } from './twin.ts';
import type { Candidate, Difference } from './types.ts';

/** The alternatives that would have changed something in a plain run, and the first thing that each would have changed. */
export type Exercised = Map<string, Difference>;

/** `exercised`: what is found is added. What is in it is not looked for again. */
interface Asked {
  candidates: readonly Candidate[];
  exercised: Exercised;
}

/** Starts a stub, and finds the alternatives under which it would do something else: what it does, a twin does under them. */
export async function startExercised<A extends ServiceName>(api: A, options: StubOptions<A>, asked: Asked): Promise<Stub<A>> {
  const search = new Search(asked);
  const stub = await startWatchedStub(api, options, {
    open: async (watched) => search.begin(watched, await openTwin(watched, assumedOf(options.assume ?? {}))),
    called: (request) => search.rehearse(operationIn(request.method, request.url.replace(/\?.*/s, '')), sameCall(request)),
    async paymentEnds(id, as) {
      await search.rehearse('the end of a payment', async ({ core }) => {
        // Under an alternative it may have ended before.
        await core.payments?.settle(id, as).catch(() => {});
        return null;
      });
    },
    message: (...sent) => search.lookAtMessage(...sent),
  });
  stub.subscribe((event) => {
    if (event.kind === 'attempt' && event.attempt.outcome !== 'success') search.happened('failed-attempt', 'later attempts');
  });
  return stub;
}

class Search {
  readonly #asked: Asked;
  #stub!: WatchedStub;
  #twin!: Twin;
  /** The stub's own. */
  #plain!: World;
  /** Alternatives that are tried together until they show. */
  #worlds: World[] = [];
  readonly #lives = new Map<string, Live>();

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  begin(stub: WatchedStub, twin: Twin): void {
    const { candidates } = this.#asked;
    const tried = candidates.filter((one) => needOf(one) === undefined).map(({ id }) => id);
    this.#stub = stub;
    this.#twin = twin;
    this.#plain = twin.world([]);
    this.#worlds = compatibleGroups(tried, excluding(candidates)).map((ids) => twin.world(ids));
  }

  /** Finds the alternatives under which this has another effect. */
  rehearse(where: string, act: Act): Promise<void> {
    return this.#twin.rehearse(act, async (effectIn) => {
      const open = this.#worlds.filter(({ ids }) => this.#unseen(ids).length > 0);
      this.#worlds = [];
      const control = open.length > 0 ? await effectIn(this.#plain) : undefined;
      if (control === undefined) return;
      const tryAll = async (world: World, past: World): Promise<World> => {
        const effect = await effectIn(world);
        if (isDeepStrictEqual(effect, control)) return world;
        const [only, second] = world.ids;
        if (second === undefined) this.#see(only, differenceOf(where, control, effect));
        else for (const half of halvesOf(world.ids)) await tryAll(this.#twin.world(half, past), past);
        return world;
      };
      for (const world of open) {
        const past = this.#twin.world([], world);
        const ids = this.#unseen(world.ids);
        if (ids.length === world.ids.length) await tryAll(world, past);
        const rest = this.#unseen(ids);
        // The others go on as if they had been alone.
        this.#worlds.push(rest.length === world.ids.length ? world : await tryAll(this.#twin.world(rest, past), past));
      }
    });
  }

  /** Looks at a webhook that is sent, with the headers of the reference. */
  lookAtMessage: Watching['message'] = (headers, event, secret) => {
    const { api, parts } = this.#stub;
    const signatureHeader = parts.core.settings.WEBHOOK_SIGNATURE_HEADER;
    const where = `webhook ${event.type}`;
    this.happened('receiver', where);
    if (!parts.core.isOfApi(event.type)) return;
    const [before, stored]: [Version, unknown] = [{ headers, text: event.body }, parsed(event.body)];
    for (const id of this.#unseen(this.#asked.candidates.map((one) => one.id))) {
      const live = this.#lives.get(id) ?? liveOf(api, parseAssumed([id]));
      this.#lives.set(id, live);
      const { body } = live.message({ event: event.type, metadata: { caused_by: null }, body: stored });
      const text = live.harmless?.text(body) ?? (body === stored ? event.body : JSON.stringify(body));
      const after: Version = { headers: headersOf(live, event, { headers, secret, signatureHeader }), text };
      if (!isDeepStrictEqual(after, before)) this.#see(id, { where, ...shownSides(before, after) });
    }
  };

  happened(need: Need, where: string): void {
    for (const one of this.#asked.candidates) if (needOf(one) === need) this.#see(one.id, { where });
  }

  #unseen = (ids: readonly string[]) => ids.filter((id) => !this.#asked.exercised.has(id));

  #see(id: string | undefined, difference: Difference): void {
    if (id !== undefined && !this.#asked.exercised.has(id)) this.#asked.exercised.set(id, difference);
  }
}

function halvesOf<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
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
