import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { openStub } from '../stubs/partner.ts';
import { samples, startProgram } from './programs.ts';

const run = promisify(execFile);
const journeys = samples.flatMap((sample) => {
  const [till] = ['till.php', 'till.py'].filter((name) => name.endsWith(sample.name.slice(-3)));
  return till === undefined
    ? []
    : [{ title: `only ${sample.command}`, sample, till: join(import.meta.dirname, 'journeys', till) }];
});

test.for(journeys)('$title: a token, a sale, a genuine webhook, a 503 and a duplicate', async ({ sample, till }, { skip }) => {
  if (!sample.present) skip(`There is no ${sample.command} on this machine.`);
  // A stub's secrets are the same at each start, so the receiver can know them before the endpoint exists.
  const { secret } = await (await openStub('pos')).endpoints.add({ url: 'http://127.0.0.1:9/' });
  const receiver = await startProgram(sample, [secret]);
  onTestFinished(receiver.stop);
  const stub = await openStub('pos', {
    webhooks: [{ url: receiver.url, events: ['sale.completed'] }],
    faults: ['createSale:status=503,times=2'],
  });
  expect(stub.endpoints.list()[0]?.secret).toBe(secret);

  const env = { ...process.env, API_KEY: stub.credentials.apiKey, API_SECRET: stub.credentials.apiSecret };
  const { stdout } = await run(sample.command, [till, stub.url], { env });
  expect(stdout).toBe('201 completed\n');
  await stub.waitForCall({ operation: 'createSale', status: 201 }, { timeoutMs: longestWaitMs });
  expect(stub.calls({ operation: 'createSale' }).map(({ status }) => status)).toEqual([503, 503, 201]);

  await eventually(async () => expect(await stub.deliveries()).toMatchObject([{ status: 'delivered', response_status: 204 }]));
  const [sold] = await stub.deliveries();
  await eventually(() => expect(receiver.printed()).toContain(`genuine ${sold?.event_id} sale.completed`));
  // The receiver answers 2xx to a duplicate, which it can recognize by its webhook-id.
  await stub.resend(sold?.id ?? '');
  expect(await stub.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  await eventually(() => expect(receiver.printed().split(`genuine ${sold?.event_id} `)).toHaveLength(3));
});
