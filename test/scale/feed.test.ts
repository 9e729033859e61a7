import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { type Cursor, readFeed } from '../../gateway/webhooks/outbox/feed.ts';
import { createDatabase, onScale } from './services.ts';

/** `FEED_EVENTS=1000000 bash .ci/scale test/scale/feed.test.ts` takes more of them. */
const events = Number(process.env.FEED_EVENTS ?? 4000);
const gateways = 4;

const chance = (probability: number) => Math.random() < probability;

/** Stores events in a process of its own. Returns the ids of those that it knows to be committed. */
async function write(url: string, count: number): Promise<string[]> {
  const writer = fork(join(import.meta.dirname, 'feed-writer.ts'), [url, String(count)], { execArgv: [] });
  onTestFinished(() => void writer.kill());
  let committed: string[] | undefined;
  writer.on('message', (ids) => {
    committed = ids as string[];
  });
  // After its message, however long that is.
  await once(writer, 'disconnect');
  if (!committed) throw new Error('A writer ended before it had stored its events.');
  return committed;
}

const reader = { service: 'pos', visible: { subjects: null, unscoped: true } } as const;

/** What a reader has on its disk. */
interface Kept {
  cursor: Cursor | undefined;
  done: string[];
}

/** Reads pages until `isOver`, and then to the end. It crashes at random: what it has not stored with its cursor is forgotten. */
async function readAll(store: Store, isOver: () => boolean): Promise<Kept> {
  const kept: Kept = { cursor: undefined, done: [] };
  for (let isLast = false; ; ) {
    const wasOver = isOver();
    const page = await readFeed(store, reader, kept.cursor, 1 + Math.floor(Math.random() * 300));
    if (chance(0.2)) continue;
    kept.cursor = page.next;
    kept.done.push(...page.events.map(({ id }) => id));
    isLast = wasOver && !page.more;
    if (isLast) return kept;
    // It reads right behind the writers, and leaves the processor to them.
    if (!page.more) await pause(Math.random() * 20);
  }
}

/** The ids of all events, in ascending order. */
async function storedIn(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for (let more = true; more; ) {
    const where = { id: { gt: ids.at(-1) ?? '' } };
    const found = await store.list('events', { where, order: [['id', 'asc']], limit: 1000 });
    for (const { id } of found) ids.push(id);
    more = found.length > 0;
  }
  return ids;
}

onScale('a reader of events beside gateways that write', () => {
  test('gets every event that was committed, once, whenever it crashes', { timeout: 3_600_000 }, async () => {
    const { url, drop } = await createDatabase();
    const reading = await openPostgres({ url, connections: 4, log: openLog('silent') });
    onTestFinished(async () => {
      await reading.close();
      await drop();
    });
    const each = Math.ceil(events / gateways);
    let isOver = false;
    const written = Promise.all(Array.from({ length: gateways }, () => write(url, each))).finally(() => {
      isOver = true;
    });
    const { done } = await readAll(reading, () => isOver);
    const committed = (await written).flat();
    const stored = await storedIn(reading);
    expect(done.length).toBe(new Set(done).size);
    expect(done.toSorted()).toEqual(stored);
    // More may be stored than a writer knows: the answer to its commit may have been lost.
    expect(new Set(committed).difference(new Set(stored))).toEqual(new Set());
  });
});
