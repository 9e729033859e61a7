import { join } from 'node:path';
import pg from 'pg';
import type { JobQueue, Work } from '../delivery-parts.ts';
import { installPackage } from '../stubs/install.ts';

/** Job queues inside PostgreSQL. Each is set for many short jobs, as its own documentation recommends. */
export const postgresQueues = ['Graphile Worker', 'pg-boss'] as const;
export type PostgresQueue = (typeof postgresQueues)[number];

const cache = '/tmp/passerelle-bench-report';
const concurrency = 100;

/** Installs the packages, so that no measurement does. */
export const prepareQueues = async (): Promise<void> => {
  await installPackage(cache, 'graphile-worker', '0.18.0');
  await installPackage(cache, 'pg-boss', '12.38.0');
};

const load = async (name: string, version: string) =>
  import(join(await installPackage(cache, name, version), 'dist/index.js')) as Promise<Record<string, never>>;

type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** Opens a queue whose jobs are added by `insert`, alone or in the transaction of another statement. */
function queueOn(
  pool: pg.Pool,
  insert: (query: Query, ids: string[]) => Promise<unknown>,
  end: () => Promise<unknown>,
): JobQueue {
  return {
    add: async (ids) => void (await insert((text, values) => pool.query(text, values), ids)),
    async addWith(text, values, ids) {
      const client = await pool.connect();
      await client.query('begin');
      await client.query(text, values);
      await insert((more, given) => client.query(more, given), ids);
      await client.query('commit');
      client.release();
    },
    async close() {
      await end();
      await pool.end();
    },
  };
}

async function graphileWorker(url: string, work: Work): Promise<JobQueue> {
  const { run, Logger } = (await load('graphile-worker', '0.18.0')) as never as {
    run(options: object): Promise<{ stop(): Promise<void> }>;
    Logger: new (factory: () => () => void) => object;
  };
  const worker = { connectionString: url, concurrentJobs: concurrency, maxPoolSize: 20, completeJobBatchDelay: 0 };
  const runner = await run({
    preset: { worker: { ...worker, localQueue: { size: 2 * concurrency }, logger: new Logger(() => () => {}) } },
    noHandleSignals: true,
    taskList: { send: (data: { id: string }) => work({ data }) },
  });
  const addJobs = `select count(*) from graphile_worker.add_jobs(array(
    select row('send', json_build_object('id', id), null, null, null, null, null, null)::graphile_worker.job_spec
    from unnest($1::text[]) as given (id)))`;
  return queueOn(
    new pg.Pool({ connectionString: url }),
    (query, ids) => query(addJobs, [ids]),
    () => runner.stop(),
  );
}

async function pgBoss(url: string, work: Work): Promise<JobQueue> {
  const { PgBoss } = (await load('pg-boss', '12.38.0')) as never as { PgBoss: new (options: object) => Boss };
  const boss = new PgBoss({ connectionString: url, max: 20, useListenNotify: true });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('send', { notify: true });
  const options = { batchSize: 25, localConcurrency: concurrency / 25, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
  await boss.work('send', options, async (jobs) => void (await Promise.all(jobs.map(work))));
  return queueOn(
    new pg.Pool({ connectionString: url }),
    (query, ids) =>
      boss.insert(
        'send',
        ids.map((id) => ({ data: { id } })),
        { db: { executeSql: query } },
      ),
    () => boss.stop({ graceful: false }),
  );
}

interface Boss {
  on(event: string, listener: () => void): void;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  work(name: string, options: object, handler: (jobs: { data: { id: string } }[]) => Promise<void>): Promise<string>;
  insert(name: string, jobs: object[], options: object): Promise<unknown>;
}

export const openQueue = (name: PostgresQueue, url: string, work: Work): Promise<JobQueue> =>
  name === 'pg-boss' ? pgBoss(url, work) : graphileWorker(url, work);
