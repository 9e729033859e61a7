/**
 * A process that stores events beside others, as gateways do: `node test/scale/feed-writer.ts DATABASE_URL EVENTS`, with a channel
 * to its parent (`fork`). Sends the ids of those that it knows to be committed.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../gateway/base/ids.ts';
import { openLog } from '../../gateway/base/log.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { event } from '../store/rows.ts';

const [url = '', count = ''] = process.argv.slice(2);
/** Their pauses must not leave the processor idle. */
const atOnce = 8;

const chance = (probability: number) => Math.random() < probability;

const store = await openPostgres({ url, connections: atOnce, log: openLog('silent') });
const committed: string[] = [];
await Promise.all(Array.from({ length: atOnce }, write));
await store.close();
process.send?.(committed, () => process.disconnect());

/** Stores events in transactions of different lengths, some of which are rolled back. */
async function write(): Promise<void> {
  while (committed.length < Number(count)) {
    const ids = Array.from({ length: chance(0.05) ? 40 : 1 + Math.floor(Math.random() * 3) }, () => newId('evt'));
    try {
      await store.transaction(async (tx) => {
        await tx.append(
          'events',
          ids.map((id) => event(id)),
        );
        if (chance(0.1)) await pause(Math.random() * 50);
        if (chance(0.05)) throw new Error('changed its mind');
      });
      committed.push(...ids);
    } catch {
      // Nothing of it is stored.
    }
  }
}
