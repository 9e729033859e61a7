import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gaps } from '../../../contracts/gaps/gaps.ts';
import { parseAssumed } from '../../../stubs/assume/chosen.ts';
import { playable } from '../../../stubs/assume/live.ts';
import type { Stub } from '../../../stubs/types.ts';
import { setsOf } from '../../alternative-sets.ts';
import { openStub } from '../../stubs/partner.ts';
import { deviationsIn, deviationsUnderHarmless, falselyConfirmed, gapsOfEvents, observing } from './observing.ts';
import { makeCalls, type Partner } from './partner-suite.ts';

/** What the partner has to send otherwise. */
const changes: Readonly<Record<string, Partial<Partner>>> = {
  'pos.providers=short-names': { provider: 'orange' },
  'pos.providers=other-country': { provider: 'wave' },
  'pos.token-transport=own-header': { tokenHeader: 'x-api-token' },
};

const open = () => openStub('pos', { limits: false, help: false });

async function observe(stub: Stub<'pos'>, assumed: readonly string[]) {
  await stub.reset();
  await stub.assumptions.replace(parseAssumed(assumed));
  const { apiKey, apiSecret } = stub.credentials;
  const own = { store: 'STORE-ABJ-01', product: 'PRD-0001', price: 4500, provider: 'orange_money' };
  const changed = Object.assign({}, ...assumed.map((one) => changes[one]));
  return observing('pos', stub.url, (url) => makeCalls({ url, apiKey, apiSecret, ...own, ...changed }));
}

/** Alternatives that no reply to the partner's calls shows. */
const unseen: readonly (string | RegExp)[] = [
  // Of some entries no call says anything, or only a webhook does, and a harmless change is no choice.
  ...[...gaps.filter(({ notLookedAt }) => notLookedAt).map(({ id }) => id), ...gapsOfEvents('pos')].map(
    (gap) => new RegExp(`^${RegExp.escape(gap)}=`),
  ),
  /^harmless\./,
  // The partner knows no store of another account.
  /^pos\.store-access=/,
  // No amount says in which unit it is.
  'pos.currency=smallest-unit',
  // The partner stays within its limit: calls.test.ts has those of one that does not.
  /^pos\.limit-exceeded=/,
  // It makes too few attempts to obtain a token for the limit on them.
  /^pos\.token-guard=/,
  // No operator of mobile money refuses a payment here: access-and-limits.test.ts has sales that failed.
  'pos.sale-states=further',
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
  for (const assumed of playable('pos')) {
    const [gap] = assumed.split('=');
    const observed = await observe(stub, [assumed]);
    const found = deviationsIn(observed);
    const others = found.filter((one) => !one.startsWith(`${gap}=`));
    const own = found.filter((one) => one.startsWith(`${gap}=`) || one === `${gap}!`);
    if (own.length === 0) notSeen.push(assumed);
    const isFalse = falselyConfirmed(observed, [assumed]).length > 0;
    if (isFalse || others.length > 0 || own.some((one) => one !== assumed)) wrong[assumed] = found;
  }
  expect(wrong).toEqual({});
  const isExpected = (one: string) => unseen.some((known) => (typeof known === 'string' ? known === one : known.test(one)));
  expect(notSeen.filter((one) => !isExpected(one))).toEqual([]);
});

test('harmless changes lead to no verdict, alone and with the shapes of replies', { timeout: 300_000 }, async () => {
  const stub = await open();
  const see = (assumed: readonly string[]) => observe(stub, assumed);
  expect(await deviationsUnderHarmless(playable('pos'), see)).toEqual([]);
});

test('no set of alternatives leads to a false verdict', { timeout: 300_000 }, async () => {
  const stub = await open();
  await fc.assert(
    fc.asyncProperty(setsOf(playable('pos')), async (set) => {
      const { entries } = await observe(stub, set);
      const wrong = entries.flatMap(({ gap, verdict, alternatives }) => {
        const [, way] = set.find((one) => one.startsWith(`${gap}=`))?.split('=') ?? [];
        if (verdict === 'contradictory') return [`${gap} is contradictory`];
        if (verdict === 'refuted' && !alternatives.includes(way ?? ''))
          return [`${gap} is ${alternatives.join('|') || 'something else'}, not ${way ?? 'our choice'}`];
        return [];
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
