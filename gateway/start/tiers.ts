import { statfs } from 'node:fs/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import { SettingsError } from '../base/errors.ts';
import { errorsSeldom, type Logger, textOf } from '../base/log.ts';
import { checkRedis, closeRedis, openCounters, prefixTogether, type Redis } from '../base/redis.ts';
import { openEmbeddedQueue } from '../queue/embedded.ts';
import { MemoryGate } from '../queue/gate/memory.ts';
import { earlyMs, type Gate } from '../queue/gate/port.ts';
import { RedisGate } from '../queue/gate/redis.ts';
import type { Queue } from '../queue/port.ts';
import { RedisQueue } from '../queue/redis.ts';
import { StoreClock } from '../store/clock.ts';
import { PglitePool } from '../store/pglite/pool.ts';
import { startUpkeep } from '../store/pglite/upkeep.ts';
import { type Store, StoreUnavailable } from '../store/port.ts';
import { openPostgres } from '../store/sql/postgres.ts';
import { openSqlStore } from '../store/sql/store.ts';
import { lostAfterMs } from '../webhooks/model/lost-after.ts';
import type { ScaleSettings, Settings } from './config.ts';
import { restoreDatabase } from './prepared-database.ts';

/** The services that a gateway needs. */
export interface Tier {
  store: Store;
  queue: Queue;
  gate: Gate;
  /** The clock of the store, so that all processes on it have one. */
  clock: Clock;
  /** Counts calls against limits for all processes together. Without it this process counts for itself. */
  counters?: Redis;
  /** Returns the free bytes on the disk with the data, if it is this machine's. */
  freeBytes?(): Promise<number>;
  /** Closes the store. Webhooks close the queue, before this is called. */
  close(): Promise<void>;
}

/** Longer than a request, and no longer than the reconciler's grace. A killed process's attempts count as in flight until then. */
const leaseMs = ({ WEBHOOK_DEADLINE_MS: deadlineMs }: Settings) => lostAfterMs(deadlineMs);

/** Opens the embedded tier: one PGlite holds the store and the queue. */
export async function openEmbedded(databasePath: string, settings: Settings, log: Logger): Promise<Tier> {
  const isDurable = settings.DURABILITY === 'disk';
  await restoreDatabase(databasePath, { isDurable });
  const pool = await PglitePool.open(databasePath, { isDurable });
  const lost = errorsSeldom(log);
  pool.on('lost', (error) => lost(error, 'database.lost'));
  pool.on('reopened', () => log.warn('database.reopened'));
  const store = await openSqlStore(pool);
  // The data folder is locked to this process, so all others have ended.
  await store.remove('leases', {});
  await store.remove('processes', {});
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: settings.WEBHOOK_DEADLINE_MS, log });
  const stopUpkeep = startUpkeep(pool, { clock: systemClock, log });
  const close = async () => {
    await stopUpkeep();
    await store.close();
  };
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(databasePath);
    return bavail * bsize;
  };
  const gate = new MemoryGate(systemClock, leaseMs(settings), earlyMs);
  return { store, queue, gate, clock: systemClock, freeBytes, close };
}

/** Opens the scale tier: the rows in PostgreSQL are the truth; queue, gate and counters are in Redis, which may be lost. */
export async function openScale(settings: ScaleSettings, log: Logger): Promise<Tier & { counters: Redis }> {
  const { DATABASE_URL, REDIS_URL: url } = settings;
  const prefix = prefixTogether(url, settings.REDIS_PREFIX);
  const waiting = { seconds: settings.START_WAIT_SECONDS, log };
  const isRedisDown = (error: unknown) => !(error instanceof SettingsError);
  await waitFor('Redis', () => checkRedis(url, log), { ...waiting, temporary: isRedisDown });
  const postgres = { url: DATABASE_URL, connections: settings.DATABASE_CONNECTIONS, log };
  const isStoreDown = (error: unknown) => error instanceof StoreUnavailable;
  const store = await waitFor('PostgreSQL', () => openPostgres(postgres), { ...waiting, temporary: isStoreDown });
  const clock = await StoreClock.open({ read: () => store.readClock(), log });
  const counters = await openCounters(url, log);
  const queue = new RedisQueue({
    url,
    prefix,
    attemptDeadlineMs: settings.WEBHOOK_DEADLINE_MS,
    clock,
    log,
  });
  const gate = new RedisGate({ redis: counters, prefix, leaseMs: leaseMs(settings), log });
  const close = async () => {
    clock.close();
    await Promise.all([store.close(), closeRedis(counters)]);
  };
  return { store, queue, gate, clock, counters, close };
}

const pauseMs = 1000;

interface Patience {
  seconds: number;
  log: Logger;
  /** Returns true for an error that may go away. */
  temporary(error: unknown): boolean;
}

/** Retries `open` until it works or `seconds` have passed: at a start, services may come up later than this process. */
async function waitFor<R>(name: string, open: () => Promise<R>, { seconds, log, temporary }: Patience): Promise<R> {
  const endMs = performance.now() + seconds * 1000;
  let told = '';
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!temporary(error)) throw error;
      if (performance.now() + pauseMs > endMs)
        throw new SettingsError(`${name} did not answer within ${seconds} s (START_WAIT_SECONDS): ${textOf(error)}`);
      if (textOf(error) !== told) log.warn({ error: textOf(error) }, `start.waits_for_${name.toLowerCase()}`);
      told = textOf(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
