import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { invalid, Refusal } from '../../gateway/base/errors.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Address } from '../listen-on.ts';
import type { World, WorldOptions } from '../types.ts';
import { WorldPlace } from './place.ts';

/** Bounds the memory: a world takes about 1 MB. */
const mostWorlds = 100;
/** A world that nobody called for so long makes room for another one: its test run was probably killed. */
const idleMs = 3_600_000;

export interface WorldsParts<A extends ServiceName> {
  /** The address of the stub. */
  address: Pick<Address, 'url' | 'scheme'>;
  /** Starts a world. */
  open(options: Omit<WorldOptions<A>, 'name'>, place: WorldPlace): Promise<World<A>>;
  /** Why this stub has no worlds; undefined if it may have some. */
  whyNot: string | undefined;
}

interface Opened<A extends ServiceName> {
  place: WorldPlace;
  world: Promise<World<A>>;
  /** Undefined while it starts. */
  ready?: World<A>;
}

/** The worlds of a stub. */
export class Worlds<A extends ServiceName = ServiceName> {
  readonly #parts: WorldsParts<A>;
  readonly #opened = new Map<string, Opened<A>>();
  #numbered = 0;
  #closed = false;

  constructor(parts: WorldsParts<A>) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#opened.size;
  }

  /** The worlds that have started, the oldest first. */
  list(): World<A>[] {
    return [...this.#opened.values()].flatMap(({ ready }) => ready ?? []);
  }

  /** Starts a world. Throws a `Refusal` or `CouldNotRun` if an option cannot be used, or if there are too many. */
  async add({ name = this.#freeName(), ...options }: WorldOptions<A> = {}): Promise<World<A>> {
    const { whyNot, address, open } = this.#parts;
    if (this.#closed || whyNot !== undefined) throw new CouldNotRun(whyNot ?? 'The stub is closing, so it starts no world.');
    if (!/^[\w-]{1,40}$/.test(name))
      throw invalid('name', 'name', `name: "${name}" must be 1 to 40 letters, digits, "_" and "-".`);
    if (this.#opened.has(name)) throw new Refusal('conflict', 'world_exists', existing(name));
    const idle = this.#opened.size < mostWorlds ? undefined : this.#longestIdle();
    const place = new WorldPlace(address, {
      name,
      leave: () => this.#opened.get(name) === opened && this.#opened.delete(name),
    });
    const opened: Opened<A> = { place, world: Promise.resolve(idle?.close()).then(() => open(options, place)) };
    this.#opened.set(name, opened);
    try {
      opened.ready = await opened.world;
      return opened.ready;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** The place of a world that has started. */
  place(name: string): WorldPlace | undefined {
    const { place, ready } = this.#opened.get(name) ?? {};
    return ready && place;
  }

  /** The place of the world to which this leads. */
  find(leads: (place: WorldPlace) => boolean): WorldPlace | undefined {
    for (const { place, ready } of this.#opened.values()) if (ready && leads(place)) return place;
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#opened.values()].map(async ({ world }) => (await world.catch(() => undefined))?.close()));
  }

  #freeName(): string {
    let name: string;
    do name = `world-${++this.#numbered}`;
    while (this.#opened.has(name));
    return name;
  }

  /** Throws a `Refusal` if all were called in the last hour. */
  #longestIdle(): World<A> {
    const byUse = [...this.#opened.values()].toSorted((one, other) => one.place.usedAtMs - other.place.usedAtMs);
    const idle = byUse.find(({ place, ready }) => ready && Date.now() - place.usedAtMs >= idleMs);
    if (idle?.ready) return idle.ready;
    throw new Refusal('conflict', 'too_many_worlds', tooMany);
  }
}

const howToEnd = (name: string) => `DELETE /_stub/worlds/${name}, passerelle stub worlds remove ${name}, or world.close()`;
const existing = (name: string) =>
  `There is a world "${name}" already. Use it, or put it back to its start with POST /_stub/worlds/${name}/_stub/reset, or end it: ${howToEnd(name)}.`;
const tooMany = `There are ${mostWorlds} worlds, the most that a stub has. End those that no test uses: ${howToEnd('NAME')}. One that was not called for an hour makes room by itself.`;
