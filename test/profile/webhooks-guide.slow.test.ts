import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocksUnder } from '../docs/guide.ts';
import { openWorld } from './webhook-world.ts';

/** Runs a block with bash. Returns what each curl line printed; all of them print JSON, except the sample receiver. */
async function run(code: string, env: Record<string, string>): Promise<string[]> {
  // Each reply ends where the next line begins.
  const script = code.replace(/^curl /gm, 'echo; echo -----; curl --fail-with-body ');
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { env: { ...process.env, ...env } });
  return stdout.split('\n-----\n').slice(1);
}

test('the lines of “Your webhooks” in the guide for partners work, one after another', async () => {
  const world = await openWorld();
  const { gateway, account, store, to, at } = world;
  await store('STORE-A');
  const aya = await account('Aya', ['STORE-A']);
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = gateway.app.server.address() as AddressInfo;
  const env: Record<string, string> = { TOKEN: aya.token, PROFILE: `http://127.0.0.1:${port}/profile/v1` };
  const pages = ['docs/partners/your-webhooks.md', 'docs/partners/catch-up.md'];
  const blocks = pages
    .flatMap((page) => blocksUnder(page))
    .map(({ code }) =>
      code
        .replace(/^PROFILE=.*$/m, '')
        .replace('https://example.com/webhooks', at('/aya'))
        .replace('https://example.com/large', at('/large'))
        .replace('https://example.com/behind', at('/behind')),
    );
  expect(blocks).toHaveLength(10);
  const replies: string[] = [];
  for (const block of blocks) {
    replies.push(...(await run(block, env)));
    env.ENDPOINT ??= JSON.parse(replies[1] as string).data.id;
  }
  const [
    catalogue,
    created,
    filtered,
    tried,
    behind,
    sample,
    verified,
    failed,
    counted,
    paused,
    resumed,
    owed,
    recovery,
    rotated,
    tested,
    feed,
    latest,
  ] = replies;
  const data = (text: string | undefined) => JSON.parse(text as string).data;
  expect(data(catalogue)[0]).toMatchObject({ type: 'sale.completed' });
  expect(data(created)).toMatchObject({ disabled_reason: 'unverified', secret: expect.stringMatching(/^whsec_/) });
  expect(data(filtered).filter).toEqual({ data: { total: { $gte: 10_000 }, payment_method: { $in: ['cash', 'card'] } } });
  expect(data(tried)).toEqual({ events: 0, matched: 0, unmatched: null });
  expect(data(behind).credentials).toEqual({
    headers: { 'X-Api-Key': null },
    basic: { username: 'passerelle', password: null },
  });
  expect(sample).toMatch(/^<\?php/);
  expect(data(verified)).toMatchObject({ verified: true, endpoint: { active: true } });
  expect([data(failed), data(counted).count]).toEqual([[], 1]);
  expect([data(paused).active, data(resumed).active]).toEqual([false, true]);
  expect(data(owed)).toMatchObject({ dry_run: true, matching: 0 });
  expect(data(recovery)).toMatchObject({ filter: { owner: aya.owner } });
  expect(data(rotated).secrets).toHaveLength(2);
  expect(data(tested)).toMatchObject({ reason: 'secret_test' });
  expect([feed, latest].map(data)).toEqual([[], []]);
  await gateway.settled();
  expect(to.received).toHaveLength(2);
});
