import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { type Asked, ask, askRefused, each, type Operation, type StateParameters } from './ask.ts';
import { Dashboard, type IndicatorFilters, type InterventionFilters, type StructureFilters } from './clients/dashboard.ts';
import { anAccessToken, expired, forged, inactive, lacking, missing, revoked, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import {
  bearer,
  exampleToken,
  expectRefusal,
  json,
  live,
  pagination,
  statusOf,
  success,
  textFromState,
  utcTimestamp,
} from './shapes.ts';

const { boolean, constrainedArrayLike, eachLike, equal, integer, number, reify, regex, string } = MatchersV3;

const pact = openPact({ consumer: 'dashboard', provider: 'cohesion', interactions: 68 });
const dashboard = (root: string) => new Dashboard(root, exampleToken);
const reading = { method: 'GET', headers: withToken } as const;

/** What every successful reply of the API holds. */
const served = ['cohesion/base-path', 'cohesion/json', 'cohesion/utf-8', 'cohesion/no-caching', 'cohesion/bearer'];

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
    holding: [
      'cohesion/me',
      'cohesion/me-user-id',
      'cohesion/me-user-name',
      'cohesion/me-user-email',
      'cohesion/me-user-role',
      'cohesion/me-token-name',
      'cohesion/me-token-abilities',
      'cohesion/me-token-last-used',
      ...served,
    ],
  })
    .willRespondWith(success(200), (reply) => live(reply).jsonBody({ data: shownMe }))
    .executeTest(async ({ url }) => expect(await dashboard(url).me()).toEqual(reify(shownMe))));

test('the current user and token are those of the call', () => {
  const user = { name: 'Yao Brou', email: 'yao.brou@example.org', role: 'admin' };
  const ability = regex('^(read:stats|write:financements)$', 'read:stats');
  const shown = {
    user: { name: equal(user.name), email: equal(user.email), role: equal(user.role) },
    // In any order.
    token: { name: equal('carte'), abilities: constrainedArrayLike(ability, 2, 2) },
  };
  const { name, ...others } = user;
  const token = { ...others, user: name, name: 'carte', abilities: ['read:stats', 'write:financements'] };
  return ask(pact, {
    ...reading,
    path: '/api/v1/me',
    description: 'a user and a token with these names, role and abilities',
    states: [['an access token', token]],
    gaps: { 'cohesion.user-roles': 'the role admin' },
    holding: [
      'cohesion/me-user-name',
      'cohesion/me-user-email',
      'cohesion/me-user-role',
      'cohesion/me-token-name',
      'cohesion/me-token-abilities',
    ],
  })
    .willRespondWith(success(200), (reply) => json(reply).jsonBody({ data: shown }))
    .executeTest(async ({ url }) => expect(await dashboard(url).me()).toEqual(reify(shown)));
});

test('a call is recorded as the last use of its token', () => {
  // The state sets the clock to noon.
  const shown = { token: { last_used_at: regex('^2026-06-15T12:0.*$', '2026-06-15T12:00:00Z') } };
  return ask(pact, {
    ...reading,
    path: '/api/v1/me',
    description: 'the last use of the token',
    states: [['an access token'], ['today is', { date: '2026-06-15' }]],
    gaps: { 'cohesion.token-last-used': 'the last use is the time of this call' },
    holding: ['cohesion/last-use', 'cohesion/me-token-last-used'],
  })
    .willRespondWith(success(200), (reply) => json(reply).jsonBody({ data: shown }))
    .executeTest(async ({ url }) => expect(await dashboard(url).me()).toEqual(reify(shown)));
});

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
const list = (asked: Omit<Asked, 'method' | 'headers'>, rows: object, meta: object = pagination) =>
  ask(pact, { ...reading, ...asked }).willRespondWith(success(200), (reply) =>
    (asked.holding?.includes('cohesion/no-caching') ? live : json)(reply).jsonBody({ data: rows, meta }),
  );

const pageOf = (row: object, meta: object = pagination) => ({ data: [reify(row)], meta: reify(meta) });

/** At least one row, and at most this number: the state also creates rows that must not be among them. */
const atMost = (count: number, row: object) => constrainedArrayLike(row, 1, count);

/** The document shows no fields of interventions and structures. Of indicators, other interactions check the fields. */
const record = {};

const pagesCounted = ['cohesion/page-number', 'cohesion/page-size', 'cohesion/page-total', 'cohesion/page-last'];
const paginated = ['cohesion/paginated', ...pagesCounted];
const two = { ...pagination, total: equal(2), last_page: equal(1) };
const firstTwo = { page: equal(1), per_page: equal(2), total: equal(3), last_page: equal(2) };
const pageOf25 = { data: atMost(25, record), meta: { ...pagination, per_page: equal(25) } };

describe('indicators', () => {
  const path = '/api/v1/indicateurs';
  const three = [anAccessToken, ['indicators', { count: 3 }]] as const;
  const page = pageOf(shownIndicator);

  test('are listed', () =>
    list(
      {
        path,
        description: 'the indicators',
        states: three,
        holding: [
          'cohesion/indicator-id',
          'cohesion/indicator-code',
          'cohesion/indicator-title',
          'cohesion/indicator-type',
          'cohesion/indicator-unit',
          'cohesion/indicator-value',
          'cohesion/indicator-target',
          'cohesion/indicator-rate',
          'cohesion/indicator-alert-state',
          'cohesion/indicator-kpi',
          ...paginated,
          ...served,
        ],
      },
      eachLike(shownIndicator),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators()).toEqual(page)));

  const measured = {
    code: 'PAIX-12',
    intitule: 'Comités de paix formés',
    type: 'activite',
    unite: 'comités',
    valeur_courante: 45.5,
    cible_annuelle: 130,
    is_kpi: false,
  };
  const asMeasured = Object.fromEntries(Object.entries(measured).map(([name, value]) => [name, equal(value)]));

  test('are listed with their own values', () => {
    const row = { ...shownIndicator, ...asMeasured };
    return list(
      {
        path,
        description: 'an indicator with these values in the list',
        states: [anAccessToken, ['an indicator', measured]],
        holding: [
          'cohesion/indicator-code',
          'cohesion/indicator-title',
          'cohesion/indicator-type',
          'cohesion/indicator-unit',
          'cohesion/indicator-value',
          'cohesion/indicator-target',
          'cohesion/indicator-kpi',
        ],
      },
      atMost(1, row),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators()).toEqual(pageOf(row)));
  });

  // The document shows neither the unit of the rate nor which indicators are in alert.
  test('are listed with their rate and alert', () => {
    const row = { ...shownIndicator, taux_atteinte: equal(35), alert_state: equal('under') };
    return list(
      {
        path,
        description: 'an indicator in alert in the list',
        states: [anAccessToken, ['an indicator', measured]],
        gaps: {
          'cohesion.attainment-rate': 'the value as a percentage of the target',
          'cohesion.alert-states': 'the value under',
          'cohesion.indicator-alert-condition': 'an indicator at 35 percent is in alert',
        },
        holding: ['cohesion/indicator-rate', 'cohesion/indicator-alert-state'],
      },
      atMost(1, row),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators()).toEqual(pageOf(row)));
  });

  test('are listed without inactive ones', () =>
    list(
      { path, description: 'the active indicators', states: three, holding: ['cohesion/active-indicators'] },
      atMost(3, record),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators()).toEqual(pageOf(record))));

  test('are listed in pages of 25', () =>
    ask(pact, {
      ...reading,
      path,
      description: 'the first page of 26 indicators',
      states: [anAccessToken, ['indicators', { count: 26 }]],
      holding: ['cohesion/indicators-per-page', 'cohesion/per-page'],
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(pageOf25))
      .executeTest(async ({ url }) => expect(await dashboard(url).indicators()).toEqual(reify(pageOf25))));

  test('are listed in pages of at most 100', () =>
    list(
      {
        path,
        description: 'up to 100 indicators',
        states: three,
        query: { per_page: '100' },
        holding: ['cohesion/indicators-per-page', 'cohesion/per-page'],
      },
      eachLike(shownIndicator),
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators({ per_page: 100 })).toEqual(page)));

  test('are listed in pages of a size', () =>
    list(
      {
        path,
        description: 'the first two of three indicators',
        states: three,
        query: { per_page: '2' },
        holding: ['cohesion/indicators-per-page', ...pagesCounted],
      },
      atMost(2, shownIndicator),
      firstTwo,
    ).executeTest(async ({ url }) =>
      expect(await dashboard(url).indicators({ per_page: 2 })).toEqual(pageOf(shownIndicator, firstTwo)),
    ));

  test('are listed page after page', () => {
    const gaps = { 'cohesion.page-parameter': 'the query parameter page' };
    const query = { page: '2', per_page: '2' };
    const meta = { ...firstTwo, page: equal(2) };
    return list(
      { path, description: 'the second page of three indicators', states: three, gaps, query, holding: pagesCounted },
      atMost(1, shownIndicator),
      meta,
    ).executeTest(async ({ url }) =>
      expect(await dashboard(url).indicators({ page: 2, per_page: 2 })).toEqual(pageOf(shownIndicator, meta)),
    );
  });

  interface Filtered {
    by: string;
    filter: IndicatorFilters;
    query: Record<string, string>;
    wanted: StateParameters;
    row: object;
    holding: readonly string[];
  }

  test.each<Filtered>([
    {
      by: 'type',
      filter: { type: 'resultat' },
      query: { type: 'resultat' },
      wanted: { type: 'resultat' },
      row: { ...shownIndicator, type: equal('resultat') },
      holding: ['cohesion/indicators-type'],
    },
    {
      by: 'kpi',
      filter: { kpi: true },
      query: { kpi: 'true' },
      wanted: { is_kpi: true },
      row: { ...shownIndicator, is_kpi: equal(true) },
      holding: ['cohesion/indicators-kpi'],
    },
    {
      by: 'kpi, which is false',
      filter: { kpi: false },
      query: { kpi: 'false' },
      wanted: { is_kpi: false },
      row: { ...shownIndicator, is_kpi: equal(false) },
      holding: ['cohesion/indicators-kpi'],
    },
    {
      by: 'kpi, written as 1',
      filter: { kpi: 1 },
      query: { kpi: '1' },
      wanted: { is_kpi: true },
      row: { ...shownIndicator, is_kpi: equal(true) },
      holding: ['cohesion/indicators-kpi-1'],
    },
    {
      by: 'a word of the title',
      filter: { q: 'solidarité' },
      query: { q: 'solidarité' },
      wanted: { intitule: 'Actions de solidarité' },
      row: { ...shownIndicator, intitule: regex('^.*solidarité.*$', 'Actions de solidarité') },
      holding: ['cohesion/indicators-search'],
    },
  ])('are listed by $by', ({ by, filter, query, wanted, row, holding }) =>
    list(
      {
        path,
        description: `the indicators by ${by}`,
        states: [anAccessToken, ['indicators', { count: 2, ...wanted }]],
        query,
        holding: [...holding, 'cohesion/page-total'],
      },
      atMost(2, row),
      two,
    ).executeTest(async ({ url }) => expect(await dashboard(url).indicators(filter)).toEqual(pageOf(row, two))),
  );
});

describe('one indicator', () => {
  test('is read', () =>
    ask(pact, {
      ...reading,
      description: 'an indicator',
      states: [anAccessToken, ['an indicator']],
      holding: ['cohesion/indicator-detail', ...served],
      path: textFromState('/api/v1/indicateurs/', 'indicator_id', 7),
    })
      .willRespondWith(success(200), live)
      .executeTest(({ url }) => dashboard(url).indicator(7)));

  test('that is unknown is refused', () =>
    ask(pact, {
      ...reading,
      description: 'an unknown indicator',
      states: [anAccessToken, ['no indicator', { indicator_id: 999_999 }]],
      holding: ['cohesion/status-404'],
      path: textFromState('/api/v1/indicateurs/', 'indicator_id', 999_999),
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(dashboard(url).indicator(999_999), 404)));
});

describe('interventions', () => {
  const path = '/api/v1/interventions';

  test('are listed', () =>
    list(
      {
        path,
        description: 'the interventions',
        states: [anAccessToken, ['interventions']],
        holding: ['cohesion/no-drafts', ...paginated, ...served],
      },
      atMost(3, record),
    ).executeTest(async ({ url }) => expect(await dashboard(url).interventions()).toEqual(pageOf(record))));

  test('are listed in pages of 25', () =>
    ask(pact, {
      ...reading,
      path,
      description: 'the first page of 26 interventions',
      states: [anAccessToken, ['interventions', { count: 26 }]],
      holding: ['cohesion/per-page'],
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(pageOf25))
      .executeTest(async ({ url }) => expect(await dashboard(url).interventions()).toEqual(reify(pageOf25))));

  interface Filtered {
    by: string;
    filter: InterventionFilters;
    query: Record<string, string>;
    wanted: StateParameters;
    holding: readonly string[];
  }

  const byStatus = (statut: string): Filtered => ({
    by: `the status ${statut}`,
    filter: { statut },
    query: { statut },
    wanted: { statut },
    holding: ['cohesion/interventions-status', 'cohesion/intervention-statuses'],
  });

  test.each<Filtered>([
    byStatus('en_cours'),
    byStatus('termine'),
    { ...byStatus('approuve'), holding: [...byStatus('approuve').holding, 'cohesion/validation'] },
    {
      by: 'region',
      filter: { region: 'Gbêkê' },
      query: { region: 'Gbêkê' },
      wanted: { region: 'Gbêkê' },
      holding: ['cohesion/interventions-region'],
    },
    {
      by: 'year',
      filter: { annee: 2025 },
      query: { annee: '2025' },
      wanted: { annee: 2025 },
      holding: ['cohesion/interventions-year'],
    },
    {
      by: 'a word of the title',
      filter: { q: 'scolaire' },
      query: { q: 'scolaire' },
      wanted: { intitule: 'Médiation scolaire' },
      holding: ['cohesion/interventions-search'],
    },
    {
      by: 'all filters at once',
      filter: { statut: 'en_cours', region: 'Gbêkê', annee: 2025, q: 'Dialogue', per_page: 100 },
      query: { statut: 'en_cours', region: 'Gbêkê', annee: '2025', q: 'Dialogue', per_page: '100' },
      wanted: { statut: 'en_cours', region: 'Gbêkê', annee: 2025, intitule: 'Dialogue intercommunautaire' },
      holding: ['cohesion/interventions-per-page'],
    },
  ])('are listed by $by', ({ by, filter, query, wanted, holding }) =>
    list(
      {
        path,
        description: `the interventions by ${by}`,
        states: [anAccessToken, ['interventions', { count: 2, ...wanted }]],
        query,
        holding: [...holding, 'cohesion/page-total'],
      },
      atMost(2, record),
      two,
    ).executeTest(async ({ url }) => expect(await dashboard(url).interventions(filter)).toEqual(pageOf(record, two))),
  );
});

describe('structures', () => {
  const path = '/api/v1/structures';

  test('are listed', () =>
    list(
      { path, description: 'the structures', states: [anAccessToken, ['structures']], holding: [...paginated, ...served] },
      eachLike(record),
    ).executeTest(async ({ url }) => expect(await dashboard(url).structures()).toEqual(pageOf(record))));

  test('are listed in pages of 25', () =>
    ask(pact, {
      ...reading,
      path,
      description: 'the first page of 26 structures',
      states: [anAccessToken, ['structures', { count: 26 }]],
      holding: ['cohesion/per-page'],
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(pageOf25))
      .executeTest(async ({ url }) => expect(await dashboard(url).structures()).toEqual(reify(pageOf25))));

  // A token's own structures have none of these values. The words of all lists begin with a letter of "Hors sujet", which the states
  // give the row that must not be found: so a search for the first letter finds too much.
  test.each<{
    by: string;
    filter: StructureFilters;
    wanted: StateParameters;
    gaps?: Record<string, string>;
    holding: readonly string[];
    meta?: object;
  }>([
    { by: 'type', filter: { type: 'ministere' }, wanted: { type: 'ministere' }, holding: ['cohesion/structures-type'] },
    { by: 'region', filter: { region: 'Poro' }, wanted: { region: 'Poro' }, holding: ['cohesion/structures-region'] },
    {
      by: 'a word of the name',
      filter: { q: 'Solidarité' },
      wanted: { nom: 'Alliance et solidarité' },
      holding: ['cohesion/structures-search', 'cohesion/active-structures'],
    },
    {
      by: 'type, region and name',
      filter: { type: 'partenaire', region: 'Poro', q: 'Alliance' },
      wanted: { type: 'partenaire', region: 'Poro', nom: 'Alliance pour la médiation' },
      gaps: { 'cohesion.perimeter': 'structures outside the perimeter of the token are counted too' },
      holding: ['cohesion/page-total'],
      meta: two,
    },
  ])('are listed by $by', ({ by, filter, wanted, gaps = {}, holding, meta = pagination }) =>
    list(
      {
        path,
        description: `the structures by ${by}`,
        states: [anAccessToken, ['structures', { count: 2, ...wanted }]],
        query: filter,
        gaps: { ...gaps, 'cohesion.perimeter': 'the structures are outside of the perimeter of the token' },
        holding,
      },
      atMost(2, record),
      meta,
    ).executeTest(async ({ url }) => expect(await dashboard(url).structures(filter)).toEqual(pageOf(record, meta))),
  );
});

describe('statistics', () => {
  const path = '/api/v1/stats';

  test('of this year are read', () =>
    ask(pact, {
      ...reading,
      path,
      description: 'the statistics',
      states: [anAccessToken, ['statistics of a year']],
      holding: ['cohesion/stats', ...served],
    })
      .willRespondWith(success(200), live)
      .executeTest(({ url }) => dashboard(url).stats()));

  // The document shows no fields of the statistics, so the year and the number of interventions rest on a gap.
  const gaps = { 'cohesion.stats-fields': 'annee and interventions.total' };
  const statsOf = (annee: number) => ({ data: { annee: equal(annee), interventions: { total: equal(1) } } });

  test('of a year are read', () => {
    const states = [anAccessToken, ['statistics of a year', { annee: 2025 }]] as const;
    return ask(pact, {
      ...reading,
      path,
      description: 'the statistics of 2025',
      states,
      gaps,
      query: { annee: '2025' },
      holding: ['cohesion/stats-year', 'cohesion/stats'],
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(statsOf(2025)))
      .executeTest(async ({ url }) => expect(JSON.parse(await dashboard(url).stats(2025))).toEqual(reify(statsOf(2025))));
  });

  test('are those of the current year by default', () =>
    ask(pact, {
      ...reading,
      path,
      description: 'the statistics of the current year',
      states: [['today is', { date: '2026-06-15' }], anAccessToken, ['statistics of a year']],
      gaps,
      holding: ['cohesion/stats-current-year'],
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(statsOf(2026)))
      .executeTest(async ({ url }) => expect(JSON.parse(await dashboard(url).stats())).toEqual(reify(statsOf(2026)))));
});

interface Invalid {
  what: string;
  path: string;
  query: Record<string, string>;
  gaps?: Record<string, string>;
  holding?: readonly string[];
  call(client: Dashboard): Promise<unknown>;
}

/** Values that the document does not show for a parameter. */
const invalid: Invalid[] = [
  {
    what: 'indicators with 101 on a page',
    path: '/api/v1/indicateurs',
    query: { per_page: '101' },
    gaps: { 'cohesion.per-page-bounds': 'status 422 over 100' },
    holding: ['cohesion/indicators-per-page', 'cohesion/per-page'],
    call: (client) => client.indicators({ per_page: 101 }),
  },
  {
    what: 'indicators with none on a page',
    path: '/api/v1/indicateurs',
    query: { per_page: '0' },
    gaps: { 'cohesion.per-page-bounds': 'status 422 below 1' },
    holding: ['cohesion/indicators-per-page', 'cohesion/per-page'],
    call: (client) => client.indicators({ per_page: 0 }),
  },
  {
    what: 'interventions with 101 on a page',
    path: '/api/v1/interventions',
    query: { per_page: '101' },
    gaps: { 'cohesion.per-page-bounds': 'status 422 over 100' },
    holding: ['cohesion/interventions-per-page', 'cohesion/per-page'],
    call: (client) => client.interventions({ per_page: 101 }),
  },
  {
    what: 'interventions of a year that is not YYYY',
    path: '/api/v1/interventions',
    query: { annee: '26' },
    holding: ['cohesion/interventions-year'],
    call: (client) => client.interventions({ annee: 26 }),
  },
  {
    what: 'statistics of a year that is not YYYY',
    path: '/api/v1/stats',
    query: { annee: '26' },
    holding: ['cohesion/stats-year'],
    call: (client) => client.stats(26),
  },
];

test.each(invalid)('$what are refused', ({ what, path, query, gaps = {}, holding = [], call }) =>
  ask(pact, {
    ...reading,
    path,
    description: what,
    states: [anAccessToken],
    gaps,
    query,
    holding: ['cohesion/status-422', ...holding],
  })
    .willRespondWith(422, json)
    .executeTest(({ url }) => expectRefusal(call(dashboard(url)), 422)),
);

const me: Operation<Dashboard> = { ...reading, name: 'the current user', path: '/api/v1/me', call: (client) => client.me() };

const withAbility: (Operation<Dashboard> & { ability: string; holding: string })[] = [
  {
    ...reading,
    name: 'the indicators',
    ability: 'read:indicators',
    holding: 'cohesion/ability-indicators',
    path: '/api/v1/indicateurs',
    call: (client) => client.indicators(),
  },
  {
    ...reading,
    name: 'an indicator',
    ability: 'read:indicators',
    holding: 'cohesion/ability-indicator',
    states: [['an indicator']],
    path: textFromState('/api/v1/indicateurs/', 'indicator_id', 7),
    call: (client) => client.indicator(7),
  },
  {
    ...reading,
    name: 'the interventions',
    ability: 'read:interventions',
    holding: 'cohesion/ability-interventions',
    path: '/api/v1/interventions',
    call: (client) => client.interventions(),
  },
  {
    ...reading,
    name: 'the structures',
    ability: 'read:structures',
    holding: 'cohesion/ability-structures',
    path: '/api/v1/structures',
    call: (client) => client.structures(),
  },
  {
    ...reading,
    name: 'the statistics',
    ability: 'read:stats',
    holding: 'cohesion/ability-stats',
    path: '/api/v1/stats',
    call: (client) => client.stats(),
  },
];

test.each([
  ...each([me], [expired, revoked, forged]),
  ...each([me, ...withAbility], [missing, unknown, inactive]),
  ...withAbility.flatMap((operation) => {
    const reason = lacking(operation.ability);
    return each([operation], [{ ...reason, holding: [...(reason.holding ?? []), operation.holding] }]);
  }),
])('$description is refused', (refused) =>
  askRefused(pact, refused)
    .willRespondWith(refused.reason.status, json)
    .executeTest(({ url }) =>
      expectRefusal(refused.operation.call(new Dashboard(url, refused.reason.token)), refused.reason.status),
    ),
);

test('a token that is sent with Basic is refused', () =>
  ask(pact, {
    ...reading,
    headers: { ...withToken, Authorization: bearer.basic },
    path: '/api/v1/me',
    description: 'the current user with a token that is sent with Basic',
    states: [anAccessToken],
    holding: ['cohesion/bearer', 'cohesion/token-invalid', 'cohesion/status-401'],
  })
    .willRespondWith(401, json)
    .executeTest(async ({ url }) =>
      expect(await statusOf(`${url}/api/v1/me`, { Accept: 'application/json', Authorization: `Basic ${exampleToken}` })).toBe(
        401,
      ),
    ));
