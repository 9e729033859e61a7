import { describe, expect, onTestFinished, test } from 'vitest';
import { openReceiving } from '../../../contracts/tools/observed/forward.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { receiverAt } from '../../../contracts/tools/observed/upstream.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { parseAssumed } from '../../../stubs/assume/assumptions.ts';
import type { Stub } from '../../../stubs/types.ts';
import { setsOf } from '../../alternative-sets.ts';
import { forAllAsync } from '../../for-all.ts';
import { openReceiver as openPartner, openStub } from '../../stubs/partner.ts';
import { playable } from '../../stubs/playable.ts';
import { askCohesion } from './dashboard-suite.ts';
import { sendTo } from './making.ts';
import { deviationsIn, falselyConfirmed, isAmong, observing } from './observing.ts';
import { makeCalls, type Partner } from './partner-suite.ts';

/** What the partner has to send otherwise. */
const changes: Readonly<Record<string, Partial<Partner>>> = {
  'pos.providers=short-names': { provider: 'orange' },
  'pos.providers=other-country': { provider: 'wave' },
  'pos.token-transport=own-header': { tokenHeader: 'x-api-token' },
};
const own = { store: 'STORE-ABJ-01', product: 'PRD-0001', price: 4500, provider: 'orange_money' };

const callers: Readonly<Record<ServiceName, (url: string, stub: Stub, assumed: readonly string[]) => Promise<unknown>>> = {
  pos: (url, { credentials }, assumed) =>
    makeCalls({
      ...own,
      ...(credentials as { apiKey: string; apiSecret: string }),
      ...Object.assign({}, ...assumed.map((one) => changes[one])),
      send: sendTo(url),
    }),
  cohesion: (url, { credentials }) => askCohesion(sendTo(url), (credentials as { token: string }).token),
};

describe.each(serviceNames)('alternatives of %s', (api) => {
  const all = playable(api);
  const harmless = all.filter((one) => one.startsWith('harmless.'));
  const names = all.filter((one) => !harmless.includes(one));

  /** Observes the partner's calls and one webhook of each event. */
  async function observe(stub: Stub, assumed: readonly string[]) {
    await stub.reset();
    await stub.assumptions.replace(parseAssumed(assumed));
    const webhooks = new Observation(api, stub.url);
    const receiver = receiverAt((await openPartner(204)).url);
    const receiving = await openReceiving({ receiver, onWebhook: (webhook) => void webhooks.addWebhook(webhook) });
    onTestFinished(receiving.close);
    await stub.endpoints.add({ url: receiving.url });
    for (const event of Object.keys(eventsOf(api))) await stub.trigger(event);
    await receiving.close();
    await stub.reset();
    await stub.assumptions.replace(parseAssumed(assumed));
    return observing(api, stub.url, (url) => callers[api](url, stub, assumed), webhooks.observed);
  }

  test('a stub is seen to be as the register chose, also under harmless changes', async () => {
    const stub: Stub = await openStub(api, { limits: false, help: false });
    for (const assumed of [[], harmless]) expect(deviationsIn(await observe(stub, assumed)), assumed.join()).toEqual([]);
  });

  test('of the alternatives that a stub plays most are seen, and no other', async () => {
    const stub: Stub = await openStub(api, { limits: false, help: false });
    const wrong: Record<string, string[]> = {};
    const missing: string[] = [];
    for (const assumed of names) {
      const observed = await observe(stub, [assumed]);
      const found = [...deviationsIn(observed), ...falselyConfirmed(observed, [assumed])];
      if (found.length === 0) missing.push(assumed);
      else if (!found.every((one) => isAmong(assumed, one))) wrong[assumed] = found;
    }
    expect(wrong).toEqual({});
    // Single calls of these partners do not show every one of them.
    expect(missing.length, missing.join()).toBeLessThan(names.length / 2);
  });

  test('no set of alternatives leads to a false verdict', async () => {
    const stub: Stub = await openStub(api, { limits: false, help: false });
    await forAllAsync(10, [setsOf(names)], async (set) => {
      const found = deviationsIn(await observe(stub, set));
      expect(found.filter((one) => !set.some((assumed) => isAmong(assumed, one)))).toEqual([]);
    });
  });
});
