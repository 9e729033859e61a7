import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gaps } from '../../../contracts/gaps/gaps.ts';
import { parseAssumed } from '../../../stubs/assume/chosen.ts';
import { playable } from '../../../stubs/assume/live.ts';
import type { Stub } from '../../../stubs/types.ts';
import { setsOf } from '../../alternative-sets.ts';
import { openStub } from '../../stubs/partner.ts';
import { askCohesion } from './dashboard-suite.ts';
import { deviationsIn, deviationsUnderHarmless, falselyConfirmed, gapsOfEvents, isAmong, observing } from './observing.ts';

const open = () => openStub('cohesion', { limits: true, help: false });

async function observe(stub: Stub<'cohesion'>, assumed: readonly string[]) {
  await stub.reset();
  await stub.assumptions.replace(parseAssumed(assumed));
  return observing('cohesion', stub.url, (url) => askCohesion(url, stub.credentials.token, 1));
}

/** Alternatives that no reply to these calls shows. */
const unseen: readonly (string | RegExp)[] = [
  // Of some entries no call says anything, or only a webhook does, and a harmless change is no choice.
  ...[...gaps.filter(({ notLookedAt }) => notLookedAt).map(({ id }) => id), ...gapsOfEvents('cohesion')].map(
    (gap) => new RegExp(`^${RegExp.escape(gap)}=`),
  ),
  /^harmless\./,
  // A 422 for a body in plain text is explained by both.
  'cohesion.accept-header=422',
  // Another status says so, and a 422 is explained by malformed JSON and by Accept too.
  'cohesion.transport-statuses=422',
  // Without its headers, a limit shows only when it is exceeded.
  'cohesion.throttle-exceeded=503',
  // The calls use the token of a user who writes.
  'cohesion.user-roles=narrows-abilities',
  // No recogniser looks for texts that an update has emptied.
  'cohesion.financing-update-required=emptied',
  // The demo data have no indicator without a target.
  'cohesion.attainment-rate=null-without-target',
  // The perimeter of the token is a list of structures, and under each choice another structure is answered with 403.
  /^cohesion\.unknown-structure=/,
  // The calls use one token.
  'cohesion.write-throttle-scope=per-user',
];

test('a stub is seen to be as the register chose', async () => {
  const observed = await observe(await open(), []);
  expect(deviationsIn(observed)).toEqual([]);
  expect(observed.contradictions).toEqual([]);
});

test('each alternative that a stub plays is seen, and no other', { timeout: 300_000 }, async () => {
  const stub = await open();
  const wrong: Record<string, string[]> = {};
  const notSeen: string[] = [];
  for (const assumed of playable('cohesion')) {
    const observed = await observe(stub, [assumed]);
    const found = [...deviationsIn(observed), ...falselyConfirmed(observed, [assumed])];
    if (found.length === 0) notSeen.push(assumed);
    else if (found.length > 1 || !isAmong(assumed, found[0])) wrong[assumed] = found;
  }
  const isExpected = (one: string) => unseen.some((known) => (typeof known === 'string' ? known === one : known.test(one)));
  expect({ wrong, notSeen: notSeen.filter((one) => !isExpected(one)) }).toEqual({ wrong: {}, notSeen: [] });
});

test('harmless changes lead to no verdict, alone and with the shapes of replies', { timeout: 300_000 }, async () => {
  const stub = await open();
  const see = (assumed: readonly string[]) => observe(stub, assumed);
  expect(await deviationsUnderHarmless(playable('cohesion'), see)).toEqual([]);
});

test('no set of alternatives leads to a false verdict', { timeout: 300_000 }, async () => {
  const stub = await open();
  await fc.assert(
    fc.asyncProperty(setsOf(playable('cohesion')), async (set) => {
      const found = deviationsIn(await observe(stub, set));
      expect(found.filter((one) => !set.some((assumed) => isAmong(assumed, one)))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
