import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { pactFile, verifyPact } from './pact-files.ts';
import { serve } from './server.ts';

/** As a test of pact-python 2 writes it, version 3. */
const pact = (provider: string, interactions: object[], messages?: object[]) => ({
  consumer: { name: 'analyse' },
  provider: { name: provider },
  ...(messages ? { messages } : { interactions }),
  metadata: { pactRust: { ffi: '0.4.22', models: '1.2.3' }, pactSpecification: { version: '3.0.0' } },
});
const states = (...names: (string | [string, object])[]) => ({
  providerStates: names.map((one) => (typeof one === 'string' ? { name: one } : { name: one[0], params: one[1] })),
});
const filled = (name: string) => `\${${name}}`;
const get = (description: string, path: string, status: number, more: object = {}) => ({
  description,
  request: { method: 'GET', path, headers: { Authorization: 'Bearer abc' }, ...more },
  response: { status },
});

describe('a value that no state returned', () => {
  const path = (expression: string) => ({ generators: { path: { type: 'ProviderState', expression } } });
  const given = states('an access token', 'an indicator');

  test('is named with the nearest one: beside a verdict that rests on the example, and in a mismatch', async () => {
    const { verification } = await verifyPact(
      pact('cohesion', [
        { ...given, ...get('by luck', '/api/v1/indicateurs/1', 200, path(`/api/v1/indicateurs/${filled('indicatorid')}`)) },
        { ...given, ...get('wrong', '/api/v1/indicateurs/99', 200, path(`/api/v1/indicateurs/${filled('indicatorid')}`)) },
        { ...given, ...get('right', '/api/v1/indicateurs/99', 200, path(`/api/v1/indicateurs/${filled('indicator_id')}`)) },
        {
          ...given,
          ...get('alone', '/api/v1/indicateurs', 200, {
            query: { per_page: ['5'] },
            generators: { query: { per_page: { type: 'ProviderState', expression: 'quantite_souhaitee' } } },
          }),
        },
      ]),
      'cohesion',
    );
    expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['verified', 'failed', 'verified', 'verified']);
    const says = `No state returned ${filled('indicatorid')}, so the pact's example was sent. Did you mean ${filled('indicator_id')}?`;
    expect(verification.interactions[1]?.problems[0]?.message).toContain(says);
    expect(verification.notices).toEqual([
      `by luck – ${says} They returned token, structure_id, other_structure_id, indicator_id.`,
      expect.stringMatching(/^alone – No state returned \$\{quantite_souhaitee\}, .* They returned token, .*indicator_id/),
    ]);
  });

  test("is named for a partner's own states too", async () => {
    const url = await serve((request, response) => response.end(request.url === '/states' ? '{"indicateur_id": 7}' : ''));
    const { verification } = await verifyPact(
      pact('cohesion', [{ ...states('un indicateur'), ...get('x', '/i/1', 200, path(`/i/${filled('indicateurid')}`)) }]),
      'cohesion',
      { at: { baseUrl: url, stateUrl: `${url}/states` } },
    );
    expect(verification.notices).toEqual([expect.stringContaining(`Did you mean ${filled('indicateur_id')}?`)]);
  });

  test('is not filled in in the parameters of a state', async () => {
    const { verification } = await verifyPact(
      pact('cohesion', [
        { ...states('an access token', ['an indicator', { intitule: filled('nom') }]), ...get('x', '/indicateurs', 200) },
      ]),
      'cohesion',
    );
    expect(verification.notices).toEqual([
      `x – The parameter intitule of the state "an indicator" contains ${filled('nom')}, which is not filled in there.`,
    ]);
  });
});

describe('states that contradict each other', () => {
  test.each<[string, 'pos' | 'cohesion', Parameters<typeof states>, RegExp | undefined]>([
    [
      'a record and its absence',
      'pos',
      ['an access token', 'a store', 'no store'],
      /"no store" and "a store" contradict each other/,
    ],
    ['joined in one name', 'pos', ['an access token and No store; a store'], /"no store" and "a store" contradict/],
    ['the same record', 'pos', ['an access token', 'a store', ['no store', { store_id: 'STORE-1' }]], /contradict/],
    ['another record', 'pos', ['an access token', 'a store', ['no store', { store_id: 'STORE-404' }]], undefined],
    ['two tokens', 'cohesion', ['an access token', 'an expired access token'], /the last one decides which token is sent/],
    ['two records', 'cohesion', ['an access token', 'an indicator', 'indicators'], undefined],
  ])('%s', async (_, provider, given, says) => {
    const path = provider === 'pos' ? '/api/v1/inventory' : '/api/v1/indicateurs';
    const { verification } = await verifyPact(pact(provider, [{ ...states(...given), ...get('x', path, 418) }]), provider);
    const message = verification.interactions[0]?.problems[0]?.message;
    if (says) expect(message).toMatch(says);
    else expect(message).not.toContain('contradict');
  });

  test('are noted if the interaction is verified, and do not fail it', async () => {
    const query = { query: { store_id: ['STORE-1'] } };
    const interaction = { ...states('an access token', 'no store', 'a store'), ...get('both', '/api/v1/inventory', 200, query) };
    const { verification } = await verifyPact(pact('pos', [interaction]));
    expect(verification).toMatchObject({ interactions: [{ outcome: 'verified' }], unfinished: [] });
    expect(verification.notices).toEqual([expect.stringMatching(/^both – The states "no store" and "a store" contradict/)]);
  });
});

test('a message whose contents name another event than its state is told, whether its contents match or not', async () => {
  const message = (description: string, more: object = {}) => ({
    description,
    ...states('a sale was completed'),
    contents: { event: 'inventory.low' },
    metaData: { contentType: 'application/json' },
    ...more,
  });
  const byType = { matchingRules: { body: { '$.event': { combine: 'AND', matchers: [{ match: 'type' }] } } } };
  const { verification } = await verifyPact(
    pact(
      'pos',
      [],
      [
        message('other'),
        message('by type', byType),
        message('two', { ...byType, ...states('stock fell to its threshold', 'a sale was completed') }),
      ],
    ),
  );
  const says =
    'The contents name the event "inventory.low", but the state "a sale was completed" causes sale.completed. The state of inventory.low is "stock fell to its threshold".';
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['failed', 'verified', 'verified']);
  expect(verification.interactions[0]?.problems[0]?.message).toContain(says);
  expect(verification.notices).toEqual([
    `by type – ${says}`,
    expect.stringMatching(/^two – Several states cause an event/),
    `two – ${says}`,
  ]);
});

describe('names of states', () => {
  test('of the other API, and words without a near name', async () => {
    const given = states('indicators', 'xyz', 'an indicater', 'structures and an acces token');
    const { verification } = await verifyPact(pact('pos', [{ ...given, ...get('x', '/api/v1/inventory', 200) }]));
    expect(verification.interactions[0]?.problems.map(({ message }) => message)).toEqual([
      '"indicators" is a provider state of cohesion, not of pos. passerelle states lists all.',
      'pos has no provider state "xyz". passerelle states lists all.',
      expect.stringMatching(
        /^pos has no provider state "an indicater"\. (Did you mean "[^"]+"\? )?passerelle states lists all\.$/,
      ),
      '"structures" is a provider state of cohesion, not of pos. pos has no provider state "an acces token". Did you mean "an access token"? passerelle states lists all.',
    ]);
  });

  test("a partner's own words are joined as ours are, with their parameters", async () => {
    const interaction = {
      description: 'le stock',
      providerState: 'Un caissier and une boutique and son stock, no sale',
      request: { method: 'GET', path: '/api/v1/inventory', query: 'store_id=S-9', headers: { Authorization: 'Bearer x' } },
      response: { status: 200 },
    };
    const file = await pactFile({ ...pact('pos', [interaction]), metadata: { pactSpecification: { version: '2.0.0' } } });
    const own = {
      'un caissier': { state: 'an access token' },
      'une boutique and son stock': { state: 'a store', params: { store_id: 'S-9' } },
    };
    await writeFile(join(dirname(file), 'passerelle.assumptions.json'), JSON.stringify({ states: own }));
    const { pacts } = await readPacts([file]);
    const { verification } = await verify({ provider: 'pos', from: pacts });
    expect(verification.interactions).toMatchObject([{ outcome: 'verified', problems: [] }]);
  });
});
