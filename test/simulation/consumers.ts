import type { Rows } from '../../gateway/store/port.ts';
import type { Partner, Visible } from '../../gateway/store/tables/webhooks.ts';
import { acknowledge, createConsumer, passOver, readConsumer } from '../../gateway/webhooks/outbox/consumers.ts';
import { type Cursor, readCursor, readFeed, textOfCursor } from '../../gateway/webhooks/outbox/feed.ts';
import { maySee } from './oracle.ts';
import type { Random } from './random.ts';
import { Requests, type Running, visibles } from './readers.ts';
import { type Servers, storeOf } from './servers.ts';
import type { Process } from './world.ts';

interface Consumer {
  random: Random;
  owner: Partner;
  visible: Visible;
  /** What it has on its disk: the ids of the events that it has done. */
  done: Set<string>;
  /** In its memory: how far it read, and pages that it has done and not acknowledged. */
  at: Cursor | undefined;
  owed: string[];
}

const mostPauseMs = 20_000;
const name = 'simulated';

/**
 * Pull consumers. They do a page, then acknowledge it some time later, in any order. They crash at random, and begin again at the
 * cursor that they have acknowledged.
 */
export class Consumers {
  readonly #servers: Servers;
  readonly #running: Running;
  readonly all: readonly Consumer[];
  readonly #requests: Requests;
  #isOver = false;

  constructor(servers: Servers, running: Running) {
    this.#servers = servers;
    this.#running = running;
    this.#requests = new Requests(servers.world);
    this.all = visibles.map((visible, at) => ({
      random: servers.world.random(`consumer ${at + 1}`),
      owner: `account:${at + 1}`,
      visible,
      done: new Set(),
      at: undefined,
      owed: [],
    }));
  }

  async start(): Promise<void> {
    const { rows, world } = this.#servers;
    for (const { owner } of this.all)
      await createConsumer({ tx: rows, now: Math.round(world.nowMs) }, owner, { name, types: null, from: 'oldest' });
    for (const consumer of this.all) this.#actLater(consumer);
  }

  /** Ends what is under way. Then each begins again where it acknowledged, and reads to the end, without faults. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#requests.settled();
    for (const consumer of this.all) {
      consumer.at = undefined;
      while (await this.#readPage(consumer, this.#servers.rows));
    }
  }

  #actLater(consumer: Consumer): void {
    const { world } = this.#servers;
    world.after(consumer.random.whole(1, mostPauseMs) * world.upkeepFactor, async () => {
      if (this.#isOver) return;
      const process = this.#running();
      if (process) await this.#act(process, consumer);
      this.#actLater(consumer);
    });
  }

  async #act(process: Process, consumer: Consumer): Promise<void> {
    const { random } = consumer;
    const rows = storeOf(this.#servers, process);
    if (random.chance(0.2)) Object.assign(consumer, { at: undefined, owed: [] });
    await this.#requests.ask(process, this.#readPage(consumer, rows));
    const [cursor] = consumer.owed.splice(random.whole(0, consumer.owed.length), 1);
    if (cursor === undefined) return;
    const now = Math.round(this.#servers.world.nowMs);
    const step = rows.transaction((tx) => acknowledge({ tx, now }, consumer.owner, name, { cursor, rewind: false }));
    // Sometimes it reads on before the answer.
    const answered = this.#requests.ask(process, step);
    if (random.chance(0.5)) await answered;
  }

  /** Returns true if there may be more. */
  async #readPage(consumer: Consumer, rows: Rows): Promise<boolean> {
    const row = consumer.at ? undefined : await readConsumer(rows, consumer.owner, name);
    const from = row ? readCursor(row.cursor) : consumer.at;
    const wanted = { service: 'pos', visible: consumer.visible } as const;
    const page = await readFeed(rows, wanted, from, consumer.random.whole(1, 20));
    if (row && page.events.length === 0) await passOver(rows, row, page.next);
    for (const { id } of page.events) consumer.done.add(id);
    consumer.at = page.next;
    consumer.owed.push(textOfCursor(page.next));
    return page.more;
  }
}

/** What the consumers have done, compared with what is stored. An event may be done twice: the page was not acknowledged. */
export function wrongInConsumers(consumers: Consumers, events: readonly { id: string; subject: string | null }[]): string[] {
  return consumers.all.flatMap(({ owner, visible, done }) => {
    const wanted = new Set(events.filter(({ subject }) => maySee(visible, subject)).map(({ id }) => id));
    return [
      ...[...wanted].flatMap((id) => (done.has(id) ? [] : [`the consumer of ${owner} did not get ${id}`])),
      ...[...done].flatMap((id) => (wanted.has(id) ? [] : [`the consumer of ${owner} got ${id}, which it may not see`])),
    ];
  });
}
