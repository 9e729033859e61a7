import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { ServiceName } from '../contracts/documents/services.ts';
import type { Need } from '../contracts/gaps/gap.ts';
import { parsed } from '../contracts/tools/assumptions/asked.ts';
import { type Assumed, assumedOf, parseAssumed } from '../stubs/assume/chosen.ts';
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
import { type Effect, Twin, type World } from './twin.ts';
import type { Candidate, Difference } from './types.ts';

/** The alternatives that would have changed something in plain runs, and the first thing that each would have changed. */
export type Exercised = Map<string, Difference>;

interface Asked {
  /** Those that are asked about. */
  candidates: readonly Candidate[];
  /** What is found is added here. What is in it is not looked for again. */
  exercised: Exercised;
}

/**
 * Starts a stub, beside which a twin does the same under other alternatives, to find those that would have changed a reply, a row or a
 * webhook.
 */
export async function startExercised<A extends ServiceName>(api: A, options: StubOptions<A>, asked: Asked): Promise<Stub<A>> {
  const exercising = new Exercising(assumedOf(options.assume ?? {}), asked);
  const stub = await startWatchedStub(api, options, exercising);
  stub.subscribe((event) => {
    if (event.kind === 'attempt' && event.attempt.outcome !== 'success') exercising.attemptFailed();
  });
  return stub;
}

class Exercising implements Watching {
  readonly #base: Assumed;
  readonly #candidates: readonly Candidate[];
  readonly #exercised: Exercised;
  #stub!: WatchedStub;
  #twin!: Twin;
  /** The alternatives of the stub itself. */
  #plain!: World;
  /** Alternatives that are tried together, until they show. Each goes on with what it remembers. */
  #worlds: World[] = [];
  readonly #lives = new Map<string, Live>();

  constructor(base: Assumed, { candidates, exercised }: Asked) {
    this.#base = base;
    this.#candidates = candidates;
    this.#exercised = exercised;
  }

  async open(stub: WatchedStub): Promise<void> {
    this.#stub = stub;
    this.#twin = await Twin.open(stub, this.#base);
    this.#plain = this.#twin.world([]);
    const tried = this.#candidates.filter((one) => needOf(one) === undefined).map(({ id }) => id);
    this.#worlds = compatibleGroups(tried, excluding(this.#candidates)).map((ids) => this.#twin.world(ids));
  }

  called = (request: FastifyRequest): Promise<void> => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const where = operationIn(method, request.originalUrl.split('?')[0] ?? '');
    return this.#rehearse(where, () => this.#twin.call(request));
  };

  paymentEnds: Watching['paymentEnds'] = (id, as) => this.#rehearse('the end of a payment', () => this.#twin.endPayment(id, as));

  message: Watching['message'] = (headers, event, secret) => {
    const { core } = this.#stub.parts;
    const where = `webhook ${event.type}`;
    this.#happened('receiver', where);
    if (!core.isOfApi(event.type)) return;
    const signatureHeader = core.settings.WEBHOOK_SIGNATURE_HEADER;
    const [before, stored]: [Version, unknown] = [{ headers, text: event.body }, parsed(event.body)];
    for (const { id } of this.#candidates) {
      if (this.#exercised.has(id)) continue;
      const live = this.#lives.get(id) ?? liveOf(this.#stub.api, parseAssumed([id]));
      this.#lives.set(id, live);
      const { body } = live.message({ event: event.type, metadata: { caused_by: null }, body: stored });
      const text = live.harmless?.text(body) ?? (body === stored ? event.body : JSON.stringify(body));
      const after: Version = { headers: headersOf(live, event, { headers, secret, signatureHeader }), text };
      if (!isDeepStrictEqual(after, before)) this.#see(id, { where, ...shownSides(before, after) });
    }
  };

  attemptFailed(): void {
    this.#happened('failed-attempt', 'the attempts after the first');
  }

  #happened(need: Need, where: string): void {
    for (const one of this.#candidates) if (needOf(one) === need) this.#see(one.id, { where });
  }

  #see(id: string, difference: Difference): void {
    if (!this.#exercised.has(id)) this.#exercised.set(id, difference);
  }

  /** Finds the alternatives under which this has another effect. */
  #rehearse(where: string, act: () => Promise<Version | undefined>): Promise<void> {
    return this.#twin.rehearse(act, async (effectIn) => {
      this.#worlds = this.#worlds.map((world) => this.#unseenOf(world)).filter(({ ids }) => ids.length > 0);
      if (this.#worlds.length === 0) return;
      const control = await effectIn(this.#plain);
      const narrow = async (
        ids: readonly string[],
        before: Pick<World, 'memory' | 'counters'>,
        effect: Effect,
      ): Promise<void> => {
        const [only, second] = ids;
        if (only === undefined || isDeepStrictEqual(effect.texts, control.texts)) return;
        if (second === undefined) return this.#see(only, differenceOf(where, control, effect));
        const middle = Math.ceil(ids.length / 2);
        for (const half of [ids.slice(0, middle), ids.slice(middle)])
          await narrow(half, before, await effectIn(this.#twin.world(half, copyOf(before))));
      };
      for (const [at, world] of this.#worlds.entries()) {
        const before = copyOf(world);
        await narrow(world.ids, before, await effectIn(world));
        const rest = this.#unseenOf({ ...world, ...before });
        if (rest.ids.length === world.ids.length) continue;
        // The others have seen the call too.
        this.#worlds[at] = rest;
        await effectIn(rest);
      }
    });
  }

  #unseenOf(world: World): World {
    const ids = world.ids.filter((id) => !this.#exercised.has(id));
    return ids.length === world.ids.length ? world : this.#twin.world(ids, world);
  }
}

const copyOf = ({ memory, counters }: Pick<World, 'memory' | 'counters'>) => ({
  memory: structuredClone(memory),
  counters: counters.copy(),
});

function differenceOf(where: string, { reply, events, made, texts }: Effect, other: Effect): Difference {
  /** With the ids of before, where they are of the same form. */
  const alike = (text: string) =>
    other.made.reduce((all, id, at) => (id.length === made[at]?.length ? all.replaceAll(id, made[at]) : all), text);
  if (reply && other.reply && texts.reply !== other.texts.reply)
    return { where, ...shownSides(reply, { ...other.reply, text: alike(other.reply.text) }) };
  const at = other.texts.events.findIndex((text, place) => text !== texts.events[place]);
  const [before, after] = [events[at], other.events[at]];
  if (before && after && before.type === after.type)
    return { where: `webhook ${after.type}`, ...shownSides(messageOf(before.body), messageOf(alike(after.body))) };
  return { where: isDeepStrictEqual(texts.events, other.texts.events) ? where : `the webhooks of ${where}` };
}

const messageOf = (text: string): Version => ({ headers: {}, text });
