import { expect, test } from 'vitest';
import { assumptionsCommand } from '../../cli/assumptions.ts';
import { runCommand } from '../program.ts';
import { folderOf, older } from './pact-files.ts';

/** A pact of version 2 as pact-php writes it. It promises that an unknown store gives 404, which the document leaves open. */
const pact = (status = 404, providerState = 'an access token') => {
  const headers = { Authorization: 'Bearer a' };
  const request = { method: 'GET', path: '/api/v1/inventory', query: 'store_id=S-1', headers };
  const interaction = { description: 'an unknown store', providerState, request, response: { status } };
  return older([interaction], { consumer: 'boutique', version: '2.0.0' });
};

async function run(file: object | undefined, pacts: object[], ...more: string[]) {
  const named = Object.fromEntries(pacts.map((one, index) => [`${index}.json`, one]));
  const folder = await folderOf({ ...named, ...(file && { 'passerelle.assumptions.json': file }) });
  return runCommand(assumptionsCommand(), ['--pact', folder, ...more]);
}
const entry = { gap: 'pos.error-conditions', reason: 'the shop shows "unknown store"', expiry: '2999-12-31' };

test('a pact of version 2 declares its gaps in a file beside it', async () => {
  expect(await run(undefined, [pact()])).toMatchObject({ code: 1, stdout: expect.stringContaining('does not declare it') });

  const declared = await run({ assumptions: [entry] }, [pact()]);
  expect(declared.stdout).toContain(
    'rests on pos.error-conditions (declared in passerelle.assumptions.json until 2999-12-31: the shop shows "unknown store")',
  );
  expect(declared).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No interaction is over-specified; 1 assumption declared.'),
  });
});

test('an expired entry does not count, and a wrong one is refused', async () => {
  const expired = await run({ assumptions: [{ ...entry, expiry: '2026-01-31' }] }, [pact()]);
  expect(expired.code).toBe(1);
  expect(expired.stdout).toContain(
    'over-specified: rests on pos.error-conditions, whose entry in passerelle.assumptions.json expired on 2026-01-31',
  );

  const wrong = await run({ assumptions: [{ ...entry, gap: 'pos.eror-conditions' }] }, [pact()]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "pos.error-conditions"?') });
});

test('interactions that do not verify cannot be judged: exit code 2, and never "no interaction is over-specified"', async () => {
  const none = await run(undefined, [pact(418), pact(200, 'no such state')]);
  expect(none.code).toBe(2);
  expect(none.stdout).toContain('boutique');
  expect(none.stdout).toContain('status: expected 418, actual 404');
  expect(none.stdout).toContain('Nothing could be judged: no interaction verifies');
  expect(none.stdout).not.toContain('No interaction is over-specified');

  const some = await run({ assumptions: [entry] }, [pact(), pact(418)]);
  expect(some).toMatchObject({ code: 2, stdout: expect.stringContaining('1 assumption declared; 1 interaction not judged.') });
});
