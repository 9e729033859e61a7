import { expect, test } from 'vitest';
import { assess } from '../../../contracts/tools/assumptions/check.ts';
import { comparePacts } from '../../../contracts/tools/comparison/compare.ts';
import { messagesOf } from '../../../contracts/tools/recording/messages.ts';
import { serviceNames } from '../../../spec/documents/services.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { v4, verifyPact } from '../pact-files.ts';

const accepted = (eventType: string, body = '') => ({ eventType, body, accepted: true });
const ofAll = (service: (typeof serviceNames)[number], promiseAll = false) =>
  messagesOf(
    service,
    Object.keys(eventsOf(service)).map((event) => accepted(event)),
    { promiseAll },
  ).interactions;

test('one interaction for each event that was accepted, whatever was delivered', () => {
  const once = messagesOf('pos', [accepted('sale.completed'), accepted('inventory.low')]);
  const again = messagesOf('pos', [
    accepted('inventory.low', '{"token":"0123456789abcdef"}'),
    { ...accepted('sale.completed'), accepted: false },
    accepted('sale.completed', 'another'),
    accepted('sale.completed', 'a third'),
  ]);
  expect(again).toEqual(once);
  expect(once.interactions.map(({ description }) => description)).toEqual([
    'the webhook inventory.low',
    'the webhook sale.completed',
  ]);
  expect(once.leftOut).toEqual([]);
});

test('an event that the API does not send, or that no receiver accepted, is left out with its reason', () => {
  const refused = { eventType: 'sync.completed', body: '', accepted: false };
  expect(messagesOf('pos', [refused, accepted('sale.complete'), accepted('constructor')])).toEqual({
    interactions: [],
    leftOut: [
      {
        description: 'the webhook constructor',
        reason: expect.stringMatching(/^Point of Sale sends no such event; the nearest is \w+\.\w+$/),
      },
      { description: 'the webhook sale.complete', reason: 'Point of Sale sends no such event; the nearest is sale.completed' },
      { description: 'the webhook sync.completed', reason: 'the receiver never accepted it' },
    ],
  });
});

test('a documented payload is promised by types and forms, and an open one by its event alone', () => {
  const [validated] = messagesOf('cohesion', [accepted('intervention.validated')]).interactions;
  const kinds = Object.entries(validated?.matchingRules.body ?? {}).map(([path, { matchers }]) => [path, matchers[0]?.match]);
  expect(Object.fromEntries(kinds)).toEqual({
    '$.event': 'equality',
    '$.delivered_at': 'regex',
    '$.data.intervention_id': 'integer',
    '$.data.reference': 'type',
    '$.data.intitule': 'type',
    '$.data.structure_id': 'integer',
    '$.data.region': 'type',
    '$.data.validated_by.id': 'integer',
    '$.data.validated_by.name': 'type',
  });
  expect(Object.keys(validated?.metadata ?? {})).toEqual(['contentType', 'X-SERVICE-Signature']);
  expect(validated).not.toHaveProperty('comments');

  const [sold] = messagesOf('pos', [accepted('sale.completed')]).interactions;
  expect(sold?.contents.content).toEqual({ event: 'sale.completed' });
  expect(Object.keys(sold?.matchingRules.body ?? {})).toEqual(['$.event']);
  // Nothing of the document says how pos signs.
  expect(sold?.metadata).toEqual({ contentType: 'application/json' });
  expect(Object.keys(sold?.comments?.references.gap ?? {})).toEqual(['pos.webhook-envelope', 'pos.webhook-target']);
});

const cases = serviceNames.flatMap((service) => [false, true].map((promiseAll) => ({ service, promiseAll })));
test.for(cases)(
  'the messages of $service are verified, compatible, and rest on the gaps they name (--promise-all: $promiseAll)',
  async ({ service, promiseAll }) => {
    const written = ofAll(service, promiseAll);
    expect(written).toHaveLength(Object.keys(eventsOf(service)).length);
    const verified = await verifyPact(v4(written, { provider: service }), service);
    const { interactions } = verified.verification;
    expect(interactions.map(({ description, outcome, problems }) => ({ description, outcome, problems }))).toEqual(
      written.map(({ description }) => ({ description, outcome: 'verified', problems: [] })),
    );
    const { findings } = await comparePacts({ provider: service, pacts: verified.recorded.map(({ source }) => source) });
    expect(findings).toEqual([]);
    // With --promise-all, the command adds the gaps that it finds by trying.
    if (promiseAll) return;
    const assessed = await assess(service, verified, '2026-11-21');
    const wrong = assessed.findings.filter(({ verdict }) => verdict !== 'rests-on');
    expect(wrong.map(({ description, gap, verdict }) => [description, gap.id, verdict])).toEqual([]);
  },
);
