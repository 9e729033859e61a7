import { expect, test } from 'vitest';
import {
  eventTypeOf,
  type MessageInteraction,
  parsePact,
  queryOf,
  readPact,
} from '../../contracts/tools/verification/pact-file.ts';
import { http, message, version2, version4 } from './pacts.ts';

test('a query whose names are those of properties of every object', () => {
  expect(Object.entries(queryOf('constructor=1&toString=2&toString=3&__proto__=4'))).toEqual([
    ['constructor', ['1']],
    ['toString', ['2', '3']],
    ['__proto__', ['4']],
  ]);
});

test('version 4: both kinds in one list, bodies with their encoding, which earlier versions do not have', () => {
  const encoded = { ...http({ path: '/sales' }), pending: true };
  const text = Buffer.from('{"a":1}').toString('base64');
  const request = { method: 'POST', path: '/sales', body: { content: text, contentType: 'application/json', encoded: 'base64' } };
  const { interactions } = version4({ ...encoded, request }, message({ event: 'plan.closed' }));
  expect(interactions).toMatchObject([
    { kind: 'http', pending: true, states: [{ name: 'a store', params: { store_id: 'STORE-1' } }], request: { body: { a: 1 } } },
    { kind: 'message', place: 'interactions[1]' },
  ]);
  const body = { content: 'x', encoded: 'base64' };
  const older = { ...version2, interactions: [{ ...version2.interactions[0], response: { status: 200, body } }] };
  expect(parsePact(older, 'a.json').interactions[0]).toMatchObject({ reply: { body } });
});

test('the event type may be in the metadata', () => {
  const { interactions } = version4({ ...message({ id: 1 }), metadata: { event: 'plan.closed' } }, message('text'));
  expect((interactions as MessageInteraction[]).map(eventTypeOf)).toEqual(['plan.closed', undefined]);
});

const whole = { ...version2, interactions: [...version2.interactions, http({ path: 'no-slash' })] };
test.each([
  ['not JSON', '{', /^c\.json is not valid JSON: /],
  ['a number that no verifier reads', '{"consumer":{"price":1e400}}', /^c\.json .*the number of "price" is too large/],
  ['another document', '{"openapi":"3.1.0"}', /^c\.json, consumer: is required\. Expected a Pact file of version 2, 3 or 4\.$/],
  ['a list', '[]', /^c\.json: must be an object, not a list/],
  [
    'neither interactions nor messages',
    '{"consumer":{"name":"a"},"provider":{"name":"b"}}',
    /^c\.json is not a Pact file: it has neither interactions nor messages/,
  ],
  ['a wrong place deep in it', JSON.stringify(whole), /^c\.json, interactions\[1\]\.request\.path: must start with "\/"/],
  [
    'a type that is not supported',
    JSON.stringify({ ...version2, interactions: [{ type: 'Synchronous/Messages' }] }),
    /^c\.json, interactions\[0\]\.type: "Synchronous\/Messages" is not supported/,
  ],
])('an error names the file and the place: %s', (_, text, says) => {
  expect(() => readPact(text, 'c.json')).toThrow(says);
});
