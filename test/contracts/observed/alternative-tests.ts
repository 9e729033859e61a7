import { expect, test } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { gaps } from '../../../spec/gaps/gaps.ts';
import { parseAssumed } from '../../../stubs/assume/chosen.ts';
import type { Stub } from '../../../stubs/types.ts';
import { setsOf } from '../../alternative-sets.ts';
import { forAllAsync } from '../../for-all.ts';
import { openStub } from '../../stubs/partner.ts';
import { playable } from '../../stubs/playable.ts';
import { deviationsIn, falselyConfirmed, gapsOfEvents, isAmong, observing } from './observing.ts';

interface Suite<A extends ServiceName> {
  /** The calls of a partner's tests, under these alternatives. */
  makeCalls(url: string, stub: Stub<A>, assumed: readonly string[]): Promise<unknown>;
  /** Alternatives, or their gaps, that no reply to these calls shows. */
  unseen: readonly string[];
}

/** Tests that what a stub plays is seen in the replies to a partner's calls, and nothing else. */
export function testAlternatives<A extends ServiceName>(api: A, { makeCalls, unseen }: Suite<A>): void {
  const limits = api === 'cohesion';
  const names = playable(api);
  const harmless = names.filter((one) => one.startsWith('harmless.'));

  async function observe(stub: Stub<A>, assumed: readonly string[]): Promise<Observed> {
    await stub.reset();
    await stub.assumptions.replace(parseAssumed(assumed));
    return observing(api, stub.url, (url) => makeCalls(url, stub, assumed));
  }

  /** What is seen and not among these alternatives. */
  const wrongUnder = async (stub: Stub<A>, assumed: readonly string[]) => {
    const observed = await observe(stub, assumed);
    const wrong = deviationsIn(observed).filter((one) => !assumed.some((each) => isAmong(each, one)));
    return [...wrong, ...observed.contradictions.map(({ saw }) => saw)];
  };

  test('a stub is seen to be as the register chose', async () => {
    expect(await wrongUnder(await openStub(api, { limits, help: false }), [])).toEqual([]);
  });

  test('each alternative that a stub plays is seen, and no other, and each entry that is looked at', async () => {
    const stub = await openStub(api, { limits, help: false });
    const wrong: Record<string, string[]> = {};
    const notSeen: string[] = [];
    const silent = new Set(gaps.filter((gap) => gap.api === api).map(({ id }) => id));
    for (const assumed of names) {
      const observed = await observe(stub, [assumed]);
      for (const { gap, verdict } of observed.entries) if (verdict !== 'not-seen') silent.delete(gap);
      const found = [...deviationsIn(observed), ...falselyConfirmed(observed, [assumed])];
      if (found.length === 0) notSeen.push(assumed);
      else if (found.join() !== assumed) wrong[assumed] = found;
    }
    // Of some entries no call says anything, or only a webhook does, and a harmless change is no choice.
    const gapsUnseen = [...gaps.filter(({ notLookedAt }) => notLookedAt).map(({ id }) => id), ...gapsOfEvents(api)];
    const expected = [...unseen, ...gapsUnseen, ...harmless];
    const isExpected = (one: string) => expected.includes(one) || expected.includes(one.split('=')[0] ?? '');
    const missing = [...notSeen, ...silent].filter((one) => !isExpected(one));
    expect({ wrong, missing }).toEqual({ wrong: {}, missing: [] });
  });

  test('harmless changes lead to no verdict, alone and with the shapes of replies', async () => {
    const stub = await openStub(api, { limits, help: false });
    const shapes = names.filter((one) => /-(response|fields|envelope|body|detail)=/.test(one) && !one.includes('.webhook-'));
    for (const set of [[], ...shapes.map((one) => [one])])
      expect(await wrongUnder(stub, [...set, ...harmless]), set.join()).toEqual([]);
  });

  test('no set of alternatives leads to a false verdict', async () => {
    const stub = await openStub(api, { limits, help: false });
    await forAllAsync(25, [setsOf(names)], async (set) => {
      const found = deviationsIn(await observe(stub, set));
      expect(found.filter((one) => !set.some((assumed) => isAmong(assumed, one)))).toEqual([]);
    });
  });
}
