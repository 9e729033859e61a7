import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Verification } from '../../../contracts/tools/verification/result.ts';
import { passerelle } from '../../program.ts';
import { samples, startProgram } from '../../receivers/programs.ts';
import { openStub } from '../../stubs/partner.ts';
import { changedCopy, type Edit } from '../changed-copy.ts';

const suite = join(import.meta.dirname, '../../../examples/pact/suite.php');
const php = samples.find(({ command }) => command === 'php');

/** Changes of the provider that break this till, and the interactions that must say so. */
const changes = [
  {
    edits: [
      ['gateway/api/pos/schemas.ts', /expires_in: z\s*\.int\(\)/, 'expires_in: z.string()'],
      ['gateway/api/pos/calls/issue-token.ts', 'expires_in, token_type', 'expires_in: String(expires_in), token_type'],
    ],
    red: /^obtain an access token$/,
  },
  {
    edits: [['gateway/api/pos/routes.ts', '/api/v1/payment/mobile', '/api/v1/payments/mobile']],
    red: /^process a mobile-money payment with provider orange_money$/,
  },
  {
    edits: [['gateway/webhooks/outbox/event.ts', '{"event":', '{"type":']],
    red: /^the webhook sale\.completed$/,
  },
] as const;

test('a suite in PHP: its pact is green, the same at each run, and red under changes of what it uses', async ({ skip }) => {
  if (!php?.present) return skip('There is no php on this machine.');
  // A stub's secrets are the same at each start, so the receiver can know them before.
  const { secret } = await (await openStub('pos')).endpoints.add({ url: 'http://127.0.0.1:9/' });
  const receiver = await startProgram(php, [secret]);
  onTestFinished(receiver.stop);
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (name: string) => {
    const file = join(folder, name);
    const written = await passerelle([
      'pact',
      'pos',
      '--consumer',
      'till',
      '--webhook',
      receiver.url,
      '--output',
      file,
      '--',
      'php',
      suite,
    ]);
    return { ...written, file, text: await readFile(file, 'utf8') };
  };

  const first = await write('till.json');
  expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^22 of 22 checks passed\.\n.*all green/s) });
  expect((await write('again.json')).text).toBe(first.text);
  const descriptions = (JSON.parse(first.text) as { interactions: { description: string }[] }).interactions.map(
    (one) => one.description,
  );
  expect(descriptions.length).toBeGreaterThanOrEqual(20);
  expect(descriptions).toEqual(expect.arrayContaining(['the webhook payment.received', 'the webhook sale.completed']));

  const copy = await changedCopy(changes.flatMap(({ edits }) => edits as readonly Edit[]));
  const { code, stdout } = await copy.passerelle(['verify', '--json', '--pact', first.file]);
  expect(code).toBe(1);
  const { interactions } = (JSON.parse(stdout) as { verifications: Verification[] }).verifications[0] as Verification;
  const red = interactions.filter(({ outcome }) => outcome === 'failed').map(({ description }) => description);
  for (const change of changes) expect(red).toContainEqual(expect.stringMatching(change.red));
  // Interactions about unchanged parts still verify.
  expect(red.length).toBeLessThan(descriptions.length / 2);
}, 900_000);
