import { expect, test } from 'vitest';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { openReceiver } from '../../../contracts/tools/observed/upstream.ts';
import { openReceiving } from '../../../contracts/tools/observed/webhooks/receive.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { parseAssumed } from '../../../stubs/assume/chosen.ts';
import type { Stub } from '../../../stubs/types.ts';
import { openReceiver as openPartner, openStub } from '../../stubs/partner.ts';
import { playable } from '../../stubs/playable.ts';
import { deviationsIn, falselyConfirmed, gapsOfEvents, isAmong } from './observing.ts';

/** Observes the webhooks of every event under these alternatives, and one that is retried. */
async function observe(api: ServiceName, stub: Stub, assumed: readonly string[]) {
  await stub.reset();
  await stub.assumptions.replace(parseAssumed(assumed));
  const observation = new Observation(api, 'http://127.0.0.1');
  const receiver = openReceiver((await openPartner(500, 204)).url);
  const receiving = await openReceiving({
    receiver,
    secret: stub.secret,
    now: () => new Date(stub.clock.now()),
    onWebhook: (webhook) => void observation.addWebhook(webhook),
  });
  await stub.endpoints.add({ url: receiving.url });
  const events = Object.keys(eventsOf(api));
  for (const event of events) await stub.trigger(event);
  for (const pause of ['6s', '2m']) {
    await stub.clock.advance(pause);
    await stub.trigger(events[0] ?? '');
  }
  await receiving.close();
  return observation.observed;
}

const unseen: Readonly<Record<ServiceName, readonly string[]>> = {
  // No accepted webhook arrives again: webhooks.test.ts has one.
  pos: ['pos.event-order'],
  cohesion: [
    // It shows in a refused financing: recognisers.test.ts has it.
    'cohesion.plan-closed-condition',
    // The receiver answers at once: webhooks.test.ts has slow ones.
    'cohesion.webhook-timeouts',
    // As for pos.
    'cohesion.event-order',
  ],
};

/** The alternatives for events that a stub plays. */
const ofEvents = (api: ServiceName) => playable(api).filter((one) => gapsOfEvents(api).includes(one.split('=')[0] ?? ''));

test.each(['pos', 'cohesion'] as const)(
  'each alternative for webhooks that a stub of %s plays is seen, and no other',
  async (api) => {
    const stub: Stub = await openStub(api, { limits: false, help: false, clock: '2026-11-23T12:00:00Z' });
    const plain = await observe(api, stub, []);
    expect(deviationsIn(plain)).toEqual([]);
    expect(plain.contradictions).toEqual([]);
    expect(plain.webhooks).toBeGreaterThan(Object.keys(eventsOf(api)).length);
    const wrong: Record<string, string[]> = {};
    const notSeen: string[] = [];
    const silent = new Set(gapsOfEvents(api));
    const together = [`${api}.timestamps=microseconds`, ...(api === 'cohesion' ? ['cohesion.alert-states=degrees'] : [])];
    for (const assumed of [...ofEvents(api), ...together]) {
      const observed = await observe(api, stub, [assumed]);
      for (const { gap, verdict } of observed.entries) if (verdict !== 'not-seen') silent.delete(gap);
      const found = [...deviationsIn(observed), ...falselyConfirmed(observed, [assumed])];
      const isFound = found.every((one) => isAmong(assumed, one));
      if (found.length === 0) notSeen.push(assumed);
      else if (!isFound || observed.contradictions.length > 0)
        wrong[assumed] = [...found, ...observed.contradictions.map(({ saw }) => saw)];
    }
    const missing = [...silent, ...notSeen.filter((one) => !silent.has(one.split('=')[0] ?? ''))];
    expect({ wrong, missing }).toEqual({ wrong: {}, missing: unseen[api] });
  },
);

test.each(['pos', 'cohesion'] as const)(
  'harmless changes of webhooks of %s lead to no verdict but that of duplicates',
  async (api) => {
    const stub: Stub = await openStub(api, { limits: false, help: false, clock: '2026-11-23T12:00:00Z' });
    for (const harmless of playable(api).filter((one) => one.startsWith('harmless.'))) {
      const found = deviationsIn(await observe(api, stub, [harmless]));
      expect(found, harmless).toEqual(harmless.startsWith('harmless.duplicate') ? [`${api}.event-order=twice`] : []);
    }
  },
);
