import { describe, expect, test } from 'vitest';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { parseAssumed } from '../../stubs/assume/assumptions.ts';
import type { Stub } from '../../stubs/types.ts';
import { setsOf } from '../alternative-sets.ts';
import { forAllAsync } from '../for-all.ts';
import { contradictionsOf } from './documented-facts.ts';
import { openReceiver, openStub } from './partner.ts';
import { playable } from './playable.ts';

describe.each(serviceNames)('%s', (api) => {
  const all = playable(api);
  const events = Object.keys(eventsOf(api));

  const checked = async (stub: Stub, receiver: Awaited<ReturnType<typeof openReceiver>>, assumed: readonly string[]) => {
    await stub.reset();
    await stub.assumptions.replace(parseAssumed(assumed));
    return contradictionsOf(stub, receiver, events);
  };
  const open = async () => {
    const receiver = await openReceiver(204);
    const stub = await openStub(api, { clock: '2026-11-21T08:00:00Z', limits: false, webhooks: [{ url: receiver.url }] });
    return { stub: stub as Stub, receiver };
  };

  test('no alternative contradicts the document', async () => {
    const { stub, receiver } = await open();
    const found: Record<string, string[]> = {};
    for (const assumed of ['', ...all]) {
      const contradicted = await checked(stub, receiver, assumed === '' ? [] : [assumed]);
      if (contradicted.length > 0) found[assumed] = contradicted;
    }
    expect(found).toEqual({});
  });

  test('no set of alternatives that go together contradicts the document', async () => {
    const { stub, receiver } = await open();
    await forAllAsync(40, [setsOf(all)], async (set) => {
      expect(await checked(stub, receiver, set)).toEqual([]);
    });
  });
});
