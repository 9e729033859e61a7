import type { Visible } from '../../gateway/store/tables/webhooks.ts';
import { type Cursor, readFeed } from '../../gateway/webhooks/outbox/feed.ts';
import { maySee } from './oracle.ts';
import type { Random } from './random.ts';
import { type Servers, storeOf } from './servers.ts';
import type { Process } from './world.ts';

/** The process that answers a reader; undefined if none runs. */
type Running = () => Process | undefined;

/** What the simulated partners may see: everything, and the events of two stores. */
const visibles: readonly Visible[] = [
  { subjects: null, unscoped: true },
  { subjects: ['store-1', 'store-2'], unscoped: false },
];

interface Reader {
  random: Random;
  visible: Visible;
  /** What it has on its disk: how far it came, and what it did until there. */
  cursor: Cursor | undefined;
  done: string[];
}

const mostPauseMs = 20_000;

/** Partners that read events page by page. They crash at random, and go on with what they had stored. */
export class Readers {
  readonly #servers: Servers;
  readonly #running: Running;
  readonly all: readonly Reader[];
  /** What they ask of processes. */
  readonly #open = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(servers: Servers, running: Running) {
    this.#servers = servers;
    this.#running = running;
    this.all = visibles.map((visible, at) => ({
      random: servers.world.random(`reader ${at + 1}`),
      visible,
      cursor: undefined,
      done: [],
    }));
    for (const reader of this.all) this.#readLater(reader);
  }

  /** Ends what is under way, and reads to the end, without faults. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#open);
    for (const reader of this.all) while ((await this.#readPage(reader, this.#servers.rows)).more);
  }

  #readLater(reader: Reader): void {
    const { world } = this.#servers;
    world.after(reader.random.whole(1, mostPauseMs) * world.upkeepFactor, async () => {
      const process = this.#running();
      if (this.#isOver) return;
      // The reply may be lost, or its reader may crash before it has stored the cursor.
      if (process) await this.#ask(process, this.#readPage(reader, storeOf(this.#servers, process), 0.3));
      this.#readLater(reader);
    });
  }

  /** Waits for an answer, which may be an error, or gives up when the process that should answer is killed. */
  async #ask(process: Process, request: Promise<unknown>): Promise<void> {
    const { world } = this.#servers;
    let isOver = false;
    const answered = request
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    const killed = async () => {
      while (!isOver && !process.isDead) await world.wait(1000);
    };
    const asked = Promise.race([answered, killed()]);
    this.#open.add(asked);
    await asked;
    this.#open.delete(asked);
  }

  async #readPage(reader: Reader, rows: Parameters<typeof readFeed>[0], crashes = 0) {
    const { random } = reader;
    const page = await readFeed(rows, { service: 'pos', visible: reader.visible }, reader.cursor, random.whole(1, 20));
    if (random.chance(crashes)) return page;
    reader.cursor = page.next;
    reader.done.push(...page.events.map(({ id }) => id));
    return page;
  }
}

/** What the readers got, compared with what is stored: everything that they may see, once. */
export function wrongIn(readers: Readers, events: readonly { id: string; subject: string | null }[]): string[] {
  return readers.all.flatMap(({ visible, done }, at) => {
    const wanted = events.filter(({ subject }) => maySee(visible, subject)).map(({ id }) => id);
    const missing = wanted.filter((id) => !done.includes(id));
    const twice = done.filter((id, index) => done.indexOf(id) < index);
    const foreign = done.filter((id) => !wanted.includes(id));
    return [
      ...missing.map((id) => `reader ${at + 1} did not get ${id}`),
      ...twice.map((id) => `reader ${at + 1} got ${id} twice`),
      ...foreign.map((id) => `reader ${at + 1} got ${id}, which it may not see`),
    ];
  });
}
