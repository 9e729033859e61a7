import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../gateway/store/migrations/index.ts';
import { root, type Started, startProcess } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import {
  connected,
  installation,
  manage,
  onScale,
  openShop,
  redisUrl,
  register,
  saleReferences,
  sellMany,
  spawned,
  start,
} from './services.ts';

/** The commit before the one that added the newest migration; undefined in a clone that does not have it. */
function commitBefore(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe', encoding: 'utf8' }).trim();
  try {
    const newest = git('log', '-1', '--format=%H', `-S'${Object.keys(migrations).at(-1)}'`, '--', 'gateway/store/migrations');
    return git('rev-parse', '--verify', `${newest}^`);
  } catch {
    return undefined;
  }
}

/** Unpacks the sources of a commit. They run with the packages of this one. */
function sourcesOf(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-before-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const packed = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: packed });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const before = commitBefore();

onScale('the version before', () => {
  test.skipIf(before === undefined)(
    `sells while this one migrates, and runs beside it${before === undefined ? ' (skipped: the clone is shallow)' : ''}: everything arrives, in order, without the reconciler`,
    async () => {
      const shared = await installation({ RECONCILE_SECONDS: '3600' });
      const old = await startProcess({ ...shared, ROLE: 'all' }, ['--json'], onTestFinished, sourcesOf(before ?? ''));
      const [ordered, other] = [await receiver(), await receiver()];
      const endpoint = { service: 'pos', url: ordered.url, events: ['sale.completed'], ordered: true };
      expect((await manage(old, 'POST', '/endpoints', endpoint)).status).toBe(201);
      await register(old, other.url);
      const shop = await openShop(old);
      let all = 0;
      const sellAt = async (gateways: Started[]) => {
        all += 50;
        expect(new Set(await sellMany(shop, gateways, 50))).toEqual(new Set([201]));
        await eventually(() => expect([ordered.received.length, other.received.length]).toEqual([all, all]));
      };
      const migration = spawned(shared, ['--migrate-only']);
      while (migration.child.exitCode === null) await sellAt([old]);
      expect([migration.child.exitCode, migration.output().stdout]).toEqual([
        0,
        expect.stringMatching(/^The database at [\w.]+:\d+\/\w+ is migrated\.\n$/),
      ]);
      const fresh = await start(shared);
      await sellAt([old, fresh]);
      old.child.kill('SIGTERM');
      await sellAt([fresh]);
      expect(await old.exited).toBe(0);
      expect(saleReferences(ordered.received)).toEqual(saleReferences(other.received));
      const ids = ordered.received.map(({ headers }) => String(headers['webhook-id']));
      expect(ids).toEqual(ids.toSorted());
    },
  );

  test('starts again on the schema of a newer version, which says whether it can', async () => {
    const shared = await installation({ RECONCILE_SECONDS: '3600' });
    const target = await receiver();
    const first = await start(shared);
    await register(first, target.url);
    const shop = await openShop(first);
    const client = await connected(shared);
    await client.query('alter table passerelle.deliveries add column later json');
    await client.query(`insert into passerelle.kysely_migration (name, timestamp) values ('999-later', '2030')`);
    first.child.kill('SIGTERM');
    await first.exited;
    await sellMany(shop, [await start(shared)], 10);
    await eventually(() => expect(saleReferences(target.received)).toHaveProperty('size', 10));
    await client.query(`comment on schema passerelle is '999-later'`);
    const refused = spawned(shared);
    expect(await refused.exited).toBe(2);
    expect(refused.output().stderr.trim().split('\n')).toEqual([expect.stringMatching(/newer version .*999-later/)]);
  });

  test('takes no jobs of a form that it cannot read: those of version 0.1.0 carry one attempt', async () => {
    const shared = await installation({ RECONCILE_SECONDS: '3600' });
    const dropped: unknown[] = [];
    const drop = async ({ data }: { data: unknown }) => void dropped.push(data);
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    const old = new Worker('deliveries', drop, { connection, prefix: shared.REDIS_PREFIX ?? '' });
    onTestFinished(() => old.close());
    await old.waitUntilReady();
    const gateway = await start(shared);
    const target = await receiver();
    await register(gateway, target.url);
    await sellMany(await openShop(gateway), [gateway], 30);
    await eventually(() => expect(saleReferences(target.received)).toHaveProperty('size', 30));
    expect(dropped).toEqual([]);
  });
});
