import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { type Asked, ask, askRefused, each, type Operation, type StateParameters } from './ask.ts';
import { Dashboard, type IndicatorFilters } from './clients/dashboard.ts';
import { anAccessToken, expired, inactive, lacking, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import { exampleToken, expectRefusal, json, pagination, success, textFromState, utcTimestamp } from './shapes.ts';

const { boolean, constrainedArrayLike, eachLike, equal, integer, number, reify, regex, string } = MatchersV3;

const pact = openPact({ consumer: 'dashboard', provider: 'cohesion', interactions: 37 });
const dashboard = (root: string) => new Dashboard(root, exampleToken);
const reading = { method: 'GET', headers: withToken } as const;

const shownMe = {
  user: { id: integer(1), name: string('Awa Koné'), email: string('awa@example.org'), role: string('lecteur') },
  token: { name: string('tableau de bord'), abilities: eachLike(string('read:indicators')), last_used_at: utcTimestamp },
};

test('the current user and token are read', () =>
  ask(pact, {
    ...reading,
    path: '/api/v1/me',
    description: 'the current user and token',
    states: [['an access token', { name: 'tableau de bord' }]],
    gaps: { 'cohesion.token-last-used': 'last_used_at is there at the first call of a token' },
  })
    .willRespondWith(success(200), (reply) => json(reply).jsonBody({ data: shownMe }))
    .executeTest(async ({ url }) => expect(await dashboard(url).me()).toEqual(reify(shownMe))));

const shownIndicator = {
  id: integer(7),
  code: string('IND-007'),
  intitule: string('Taux de participation'),
  type: regex('^(activite|resultat|impact)$', 'resultat'),
  unite: string('%'),
  valeur_courante: number(60.5),
  cible_annuelle: number(80),
  taux_atteinte: number(75.63),
  alert_state: string('none'),
  is_kpi: boolean(true),
};

/** A page of a list with rows of this shape. */
const list = (asked: Omit<Asked, 'method' | 'headers'>, rows: object) =>
  ask(pact, { ...reading, ...asked }).willRespondWith(success(200), (reply) =>
    json(reply).jsonBody({ data: rows, meta: pagination }),
  );

const pageOf = (row: object) => ({ data: [reify(row)], meta: reify(pagination) });

describe('indicators', () => {
  const path = '/api/v1/indicateurs';
  const three = [anAccessToken, ['indicators', { count: 3 }]] as const;
  const page = pageOf(shownIndicator);

  test('are listed', () =>
    list({ path, description: 'the indicators', states: three }, eachLike(shownIndicator)).executeTest(async ({ url }) =>
      expect(await dashboard(url).indicators()).toEqual(page),
    ));

  test('are listed in pages of a size', () =>
    list(
      { path, description: 'the first two of three indicators', states: three, query: { per_page: '2' } },
      constrainedArrayLike(shownIndicator, 1, 2),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators({ per_page: 2 })).toEqual(page)));

  test('are listed page after page', () => {
    const gaps = { 'cohesion.page-parameter': 'the query parameter page' };
    const query = { page: '2', per_page: '2' };
    return list(
      { path, description: 'the second page of three indicators', states: three, gaps, query },
      eachLike(shownIndicator),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators({ page: 2, per_page: 2 })).toEqual(page));
  });

  interface Filtered {
    by: string;
    filter: IndicatorFilters;
    query: Record<string, string>;
    wanted: StateParameters;
    /** Fields of an indicator that the filter must exclude. */
    other: StateParameters;
    row: object;
  }

  test.each<Filtered>([
    {
      by: 'type',
      filter: { type: 'resultat' },
      query: { type: 'resultat' },
      wanted: { type: 'resultat' },
      other: { type: 'impact' },
      row: { ...shownIndicator, type: equal('resultat') },
    },
    {
      by: 'kpi',
      filter: { kpi: true },
      query: { kpi: 'true' },
      wanted: { is_kpi: true },
      other: { is_kpi: false },
      row: { ...shownIndicator, is_kpi: equal(true) },
    },
    {
      by: 'a word of the title',
      filter: { q: 'médiations' },
      query: { q: 'médiations' },
      wanted: { intitule: 'Nombre de médiations' },
      other: { intitule: 'Nombre de comités' },
      row: { ...shownIndicator, intitule: regex('^.*médiations.*$', 'Nombre de médiations') },
    },
  ])('are listed by $by', ({ by, filter, query, wanted, other, row }) =>
    list(
      {
        path,
        description: `the indicators by ${by}`,
        states: [anAccessToken, ['indicators', { count: 2, ...wanted }], ['an indicator', other]],
        query,
      },
      eachLike(row),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators(filter)).toEqual(pageOf(row))),
  );
});

describe('one indicator', () => {
  test('is read', () =>
    ask(pact, {
      ...reading,
      description: 'an indicator',
      states: [anAccessToken, ['an indicator']],
      path: textFromState('/api/v1/indicateurs/', 'indicator_id', 7),
    })
      .willRespondWith(success(200), json)
      .executeTest(({ url }) => dashboard(url).indicator(7)));

  test('that is unknown is refused', () =>
    ask(pact, {
      ...reading,
      description: 'an unknown indicator',
      states: [anAccessToken, ['no indicator', { indicator_id: 999_999 }]],
      path: textFromState('/api/v1/indicateurs/', 'indicator_id', 999_999),
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(dashboard(url).indicator(999_999), 404)));
});

// The document shows no fields of interventions and structures.
const record = {};

describe('interventions', () => {
  const path = '/api/v1/interventions';

  test('are listed', () =>
    list({ path, description: 'the interventions', states: [anAccessToken, ['interventions']] }, eachLike(record)).executeTest(
      async ({ url }) => expect(await dashboard(url).interventions()).toEqual(pageOf(record)),
    ));

  test('are listed by status, region, year and title', () => {
    const made = { statut: 'en_cours', region: 'Gbêkê', annee: 2026 };
    const query = { statut: 'en_cours', region: 'Gbêkê', annee: '2026', q: 'Dialogue', per_page: '50' };
    const states = [anAccessToken, ['interventions', { ...made, intitule: 'Dialogue intercommunautaire' }]] as const;
    return list(
      { path, description: 'the interventions by status, region, year and title', states, query },
      eachLike(record),
    ).executeTest(async ({ url }) =>
      expect(await dashboard(url).interventions({ ...made, q: 'Dialogue', per_page: 50 })).toEqual(pageOf(record)),
    );
  });
});

describe('structures', () => {
  const path = '/api/v1/structures';

  test('are listed', () =>
    list({ path, description: 'the structures', states: [anAccessToken, ['structures']] }, eachLike(record)).executeTest(
      async ({ url }) => expect(await dashboard(url).structures()).toEqual(pageOf(record)),
    ));

  test('are listed by type, region and name', () => {
    const made = { type: 'ong', region: 'Gbêkê' };
    const query = { ...made, q: 'Comité' };
    const states = [anAccessToken, ['structures', { ...made, nom: 'Comité de paix' }]] as const;
    return list({ path, description: 'the structures by type, region and name', states, query }, eachLike(record)).executeTest(
      async ({ url }) => expect(await dashboard(url).structures(query)).toEqual(pageOf(record)),
    );
  });
});

describe('statistics', () => {
  const path = '/api/v1/stats';

  test('of this year are read', () =>
    ask(pact, { ...reading, path, description: 'the statistics', states: [anAccessToken, ['statistics of a year']] })
      .willRespondWith(success(200), json)
      .executeTest(({ url }) => dashboard(url).stats()));

  test('of a year are read', () => {
    const states = [anAccessToken, ['statistics of a year', { annee: 2025 }]] as const;
    return ask(pact, { ...reading, path, description: 'the statistics of 2025', states, query: { annee: '2025' } })
      .willRespondWith(success(200), json)
      .executeTest(({ url }) => dashboard(url).stats(2025));
  });
});

interface Invalid {
  what: string;
  path: string;
  query: Record<string, string>;
  gaps?: Record<string, string>;
  call(client: Dashboard): Promise<unknown>;
}

/** Values that the document does not show for a parameter. */
const invalid: Invalid[] = [
  {
    what: 'indicators with 101 on a page',
    path: '/api/v1/indicateurs',
    query: { per_page: '101' },
    gaps: { 'cohesion.per-page-bounds': 'status 422 over 100' },
    call: (client) => client.indicators({ per_page: 101 }),
  },
  {
    what: 'interventions with 101 on a page',
    path: '/api/v1/interventions',
    query: { per_page: '101' },
    gaps: { 'cohesion.per-page-bounds': 'status 422 over 100' },
    call: (client) => client.interventions({ per_page: 101 }),
  },
  {
    what: 'interventions of a year that is not YYYY',
    path: '/api/v1/interventions',
    query: { annee: '26' },
    call: (client) => client.interventions({ annee: 26 }),
  },
  {
    what: 'statistics of a year that is not YYYY',
    path: '/api/v1/stats',
    query: { annee: '26' },
    call: (client) => client.stats(26),
  },
];

test.each(invalid)('$what are refused', ({ what, path, query, gaps = {}, call }) =>
  ask(pact, { ...reading, path, description: what, states: [anAccessToken], gaps, query })
    .willRespondWith(422, json)
    .executeTest(({ url }) => expectRefusal(call(dashboard(url)), 422)),
);

const me: Operation<Dashboard> = { ...reading, name: 'the current user', path: '/api/v1/me', call: (client) => client.me() };

const withAbility: (Operation<Dashboard> & { ability: string })[] = [
  {
    ...reading,
    name: 'the indicators',
    ability: 'read:indicators',
    path: '/api/v1/indicateurs',
    call: (client) => client.indicators(),
  },
  {
    ...reading,
    name: 'an indicator',
    ability: 'read:indicators',
    states: [['an indicator']],
    path: textFromState('/api/v1/indicateurs/', 'indicator_id', 7),
    call: (client) => client.indicator(7),
  },
  {
    ...reading,
    name: 'the interventions',
    ability: 'read:interventions',
    path: '/api/v1/interventions',
    call: (client) => client.interventions(),
  },
  {
    ...reading,
    name: 'the structures',
    ability: 'read:structures',
    path: '/api/v1/structures',
    call: (client) => client.structures(),
  },
  { ...reading, name: 'the statistics', ability: 'read:stats', path: '/api/v1/stats', call: (client) => client.stats() },
];

test.each([
  ...each([me], [expired]),
  ...each([me, ...withAbility], [unknown, inactive]),
  ...withAbility.flatMap((operation) => each([operation], [lacking(operation.ability)])),
])('$description is refused', (refused) =>
  askRefused(pact, refused)
    .willRespondWith(refused.reason.status, json)
    .executeTest(({ url }) =>
      expectRefusal(refused.operation.call(new Dashboard(url, refused.reason.token)), refused.reason.status),
    ),
);
