import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { ask, type Exchange, each, exchangeOn, type Operation, type StateParameters } from './ask.ts';
import { Dashboard, type IndicatorFilters, type InterventionFilters, type StructureFilters } from './clients/dashboard.ts';
import { anAccessToken, expired, forged, inactive, lacking, missing, revoked, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import { bearer, exampleToken, json, pagination, statusOf, textFromState, utcTimestamp } from './shapes.ts';

const { boolean, constrainedArrayLike, eachLike, equal, integer, number, regex, string } = MatchersV3;

const pact = openPact({ consumer: 'dashboard', provider: 'cohesion', interactions: 68 });
const exchange = exchangeOn(pact, (root, token) => new Dashboard(root, token));
const reading = { method: 'GET', headers: withToken } as const;

type Read = Omit<Exchange<Dashboard>, 'method'>;
const read = (one: Read) => exchange({ ...reading, ...one });

/** What every successful reply of the API holds. */
const served = ['cohesion/base-path', 'cohesion/json', 'cohesion/utf-8', 'cohesion/no-caching', 'cohesion/bearer'];

const me = { path: '/api/v1/me', call: async (client: Dashboard) => ({ data: await client.me() }) };

test.each<Read>([
  {
    ...me,
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
    shown: {
      data: {
        user: { id: integer(1), name: string('Awa Koné'), email: string('awa@example.org'), role: string('lecteur') },
        token: { name: string('tableau de bord'), abilities: eachLike(string('read:indicators')), last_used_at: utcTimestamp },
      },
    },
  },
  {
    ...me,
    description: 'a user and a token with these names, role and abilities',
    states: [
      [
        'an access token',
        {
          user: 'Yao Brou',
          email: 'yao.brou@example.org',
          role: 'admin',
          name: 'carte',
          abilities: ['read:stats', 'write:financements'],
        },
      ],
    ],
    gaps: { 'cohesion.user-roles': 'the role admin' },
    holding: [
      'cohesion/me-user-name',
      'cohesion/me-user-email',
      'cohesion/me-user-role',
      'cohesion/me-token-name',
      'cohesion/me-token-abilities',
    ],
    shown: {
      data: {
        user: { name: equal('Yao Brou'), email: equal('yao.brou@example.org'), role: equal('admin') },
        token: {
          name: equal('carte'),
          // In any order.
          abilities: constrainedArrayLike(regex('^(read:stats|write:financements)$', 'read:stats'), 2, 2),
        },
      },
    },
  },
  {
    ...me,
    description: 'the last use of the token',
    // The state sets the clock to noon.
    states: [['an access token'], ['today is', { date: '2026-06-15' }]],
    gaps: { 'cohesion.token-last-used': 'the last use is the time of this call' },
    holding: ['cohesion/last-use', 'cohesion/me-token-last-used'],
    shown: { data: { token: { last_used_at: regex('^2026-06-15T12:0.*$', '2026-06-15T12:00:00Z') } } },
  },
])('$description are read', read);

interface List<Filters> {
  /** Its name in descriptions and states. */
  name: string;
  path: string;
  call(client: Dashboard, filters?: Filters): Promise<unknown>;
}

const indicators: List<IndicatorFilters> = {
  name: 'indicators',
  path: '/api/v1/indicateurs',
  call: (client, filters) => client.indicators(filters),
};
const interventions: List<InterventionFilters> = {
  name: 'interventions',
  path: '/api/v1/interventions',
  call: (client, filters) => client.interventions(filters),
};
const structures: List<StructureFilters> = {
  name: 'structures',
  path: '/api/v1/structures',
  call: (client, filters) => client.structures(filters),
};

interface Listed<Filters> extends Omit<Read, 'path' | 'call' | 'query' | 'shown'> {
  filter?: Filters;
  rows: object;
  meta?: object;
}

/** A page of a list with rows of this shape. */
const listed = <Filters extends object>(
  { path, call }: List<Filters>,
  { filter, rows, meta = pagination, ...asked }: Listed<Filters>,
): Read => ({
  ...asked,
  path,
  query: Object.fromEntries(Object.entries(filter ?? {}).map(([name, value]) => [name, String(value)])),
  shown: { data: rows, meta },
  call: (client) => call(client, filter),
});

/** At least one row, and at most this number: the state also creates rows that must not be among them. */
const atMost = (count: number, row: object) => constrainedArrayLike(row, 1, count);

/** The document shows no fields of interventions and structures. Of indicators, other interactions check the fields. */
const record = {};

const indicator = {
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
const fieldsMeasured = [
  'cohesion/indicator-code',
  'cohesion/indicator-title',
  'cohesion/indicator-type',
  'cohesion/indicator-unit',
  'cohesion/indicator-value',
  'cohesion/indicator-target',
  'cohesion/indicator-kpi',
];

const pagesCounted = ['cohesion/page-number', 'cohesion/page-size', 'cohesion/page-total', 'cohesion/page-last'];
const paginated = ['cohesion/paginated', ...pagesCounted];
const pageSizes = ['cohesion/indicators-per-page', 'cohesion/per-page'];
const firstTwo = { page: equal(1), per_page: equal(2), total: equal(3), last_page: equal(2) };
const three = [anAccessToken, ['indicators', { count: 3 }]] as const;

test.each<Read>([
  listed(indicators, {
    description: 'the indicators',
    states: three,
    holding: [
      'cohesion/indicator-id',
      ...fieldsMeasured,
      'cohesion/indicator-rate',
      'cohesion/indicator-alert-state',
      ...paginated,
      ...served,
    ],
    rows: eachLike(indicator),
  }),
  listed(indicators, {
    description: 'an indicator with these values in the list',
    states: [anAccessToken, ['an indicator', measured]],
    holding: fieldsMeasured,
    rows: atMost(1, { ...indicator, ...asMeasured }),
  }),
  // The document shows neither the unit of the rate nor which indicators are in alert.
  listed(indicators, {
    description: 'an indicator in alert in the list',
    states: [anAccessToken, ['an indicator', measured]],
    gaps: {
      'cohesion.attainment-rate': 'the value as a percentage of the target',
      'cohesion.alert-states': 'the value under',
      'cohesion.indicator-alert-condition': 'an indicator at 35 percent is in alert',
    },
    holding: ['cohesion/indicator-rate', 'cohesion/indicator-alert-state'],
    rows: atMost(1, { ...indicator, taux_atteinte: equal(35), alert_state: equal('under') }),
  }),
  listed(indicators, {
    description: 'the active indicators',
    states: three,
    holding: ['cohesion/active-indicators'],
    rows: atMost(3, record),
  }),
  listed(indicators, {
    description: 'up to 100 indicators',
    states: three,
    filter: { per_page: 100 },
    holding: pageSizes,
    rows: eachLike(indicator),
  }),
  listed(indicators, {
    description: 'the first two of three indicators',
    states: three,
    filter: { per_page: 2 },
    holding: ['cohesion/indicators-per-page', ...pagesCounted],
    rows: atMost(2, indicator),
    meta: firstTwo,
  }),
  listed(indicators, {
    description: 'the second page of three indicators',
    states: three,
    gaps: { 'cohesion.page-parameter': 'the query parameter page' },
    filter: { page: 2, per_page: 2 },
    holding: pagesCounted,
    rows: atMost(1, indicator),
    meta: { ...firstTwo, page: equal(2) },
  }),
  listed(interventions, {
    description: 'the interventions',
    states: [anAccessToken, ['interventions']],
    holding: ['cohesion/no-drafts', ...paginated, ...served],
    rows: atMost(3, record),
  }),
  listed(structures, {
    description: 'the structures',
    states: [anAccessToken, ['structures']],
    holding: [...paginated, ...served],
    rows: eachLike(record),
  }),
  ...[indicators, interventions, structures].map((list) =>
    listed(list, {
      description: `the first page of 26 ${list.name}`,
      states: [anAccessToken, [list.name, { count: 26 }]],
      holding: list === indicators ? pageSizes : ['cohesion/per-page'],
      rows: atMost(25, record),
      meta: { ...pagination, per_page: equal(25) },
    }),
  ),
])('$description are listed', read);

interface Filtered<Filters> {
  by: string;
  filter: Filters;
  /** What the state's two rows have that fit, if it is not the filter's own value. */
  wanted?: StateParameters;
  row?: object;
  holding: readonly string[];
}

const two = { ...pagination, total: equal(2), last_page: equal(1) };

const filtered = <Filters extends object>(list: List<Filters>, filters: readonly Filtered<Filters>[], more: Partial<Read> = {}) =>
  filters.map(({ by, filter, wanted = filter as StateParameters, row = record, holding }) =>
    listed(list, {
      ...more,
      description: `the ${list.name} by ${by}`,
      states: [anAccessToken, [list.name, { count: 2, ...wanted }]],
      filter,
      holding,
      rows: atMost(2, row),
      ...(holding.includes('cohesion/page-total') && { meta: two }),
    }),
  );

const counted = 'cohesion/page-total';
const byStatus = (statut: string, ...more: string[]): Filtered<InterventionFilters> => ({
  by: `the status ${statut}`,
  filter: { statut },
  holding: ['cohesion/interventions-status', 'cohesion/intervention-statuses', ...more, counted],
});
const byKpi = (by: string, kpi: boolean | 1, holding: string): Filtered<IndicatorFilters> => ({
  by,
  filter: { kpi },
  wanted: { is_kpi: kpi !== false },
  row: { ...indicator, is_kpi: equal(kpi !== false) },
  holding: [holding, counted],
});

test.each<Read>([
  ...filtered(indicators, [
    {
      by: 'type',
      filter: { type: 'resultat' },
      row: { ...indicator, type: equal('resultat') },
      holding: ['cohesion/indicators-type', counted],
    },
    byKpi('kpi', true, 'cohesion/indicators-kpi'),
    byKpi('kpi, which is false', false, 'cohesion/indicators-kpi'),
    byKpi('kpi, written as 1', 1, 'cohesion/indicators-kpi-1'),
    {
      by: 'a word of the title',
      filter: { q: 'solidarité' },
      wanted: { intitule: 'Actions de solidarité' },
      row: { ...indicator, intitule: regex('^.*solidarité.*$', 'Actions de solidarité') },
      holding: ['cohesion/indicators-search', counted],
    },
  ]),
  ...filtered(interventions, [
    byStatus('en_cours'),
    byStatus('termine'),
    byStatus('approuve', 'cohesion/validation'),
    { by: 'region', filter: { region: 'Gbêkê' }, holding: ['cohesion/interventions-region', counted] },
    { by: 'year', filter: { annee: 2025 }, holding: ['cohesion/interventions-year', counted] },
    {
      by: 'a word of the title',
      filter: { q: 'scolaire' },
      wanted: { intitule: 'Médiation scolaire' },
      holding: ['cohesion/interventions-search', counted],
    },
    {
      by: 'all filters at once',
      filter: { statut: 'en_cours', region: 'Gbêkê', annee: 2025, q: 'Dialogue', per_page: 100 },
      wanted: { statut: 'en_cours', region: 'Gbêkê', annee: 2025, intitule: 'Dialogue intercommunautaire' },
      holding: ['cohesion/interventions-per-page', counted],
    },
  ]),
  // A token's own structures have none of these values. The words of all lists begin with a letter of "Hors sujet", which the states
  // give the row that must not be found: so a search for the first letter finds too much.
  ...filtered(
    structures,
    [
      { by: 'type', filter: { type: 'ministere' }, holding: ['cohesion/structures-type'] },
      { by: 'region', filter: { region: 'Poro' }, holding: ['cohesion/structures-region'] },
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
        holding: [counted],
      },
    ],
    { gaps: { 'cohesion.perimeter': 'the structures are outside of the perimeter of the token' } },
  ),
])('$description are listed', read);

const indicatorAt = (id: number) => ({
  path: textFromState('/api/v1/indicateurs/', 'indicator_id', id),
  call: (client: Dashboard) => client.indicator(id),
});

const stats = '/api/v1/stats';
// The document shows no fields of the statistics, so the year and the number of interventions rest on a gap.
const statsOf = (annee: number) => ({
  gaps: { 'cohesion.stats-fields': 'annee and interventions.total' },
  shown: { data: { annee: equal(annee), interventions: { total: equal(1) } } },
});

test.each<Read>([
  {
    ...indicatorAt(7),
    description: 'an indicator',
    states: [anAccessToken, ['an indicator']],
    holding: ['cohesion/indicator-detail', ...served],
  },
  {
    path: stats,
    description: 'the statistics',
    states: [anAccessToken, ['statistics of a year']],
    holding: ['cohesion/stats', ...served],
    call: (client) => client.stats(),
  },
  {
    ...statsOf(2025),
    path: stats,
    description: 'the statistics of 2025',
    states: [anAccessToken, ['statistics of a year', { annee: 2025 }]],
    query: { annee: '2025' },
    holding: ['cohesion/stats-year', 'cohesion/stats'],
    call: async (client) => JSON.parse(await client.stats(2025)),
  },
  {
    ...statsOf(2026),
    path: stats,
    description: 'the statistics of the current year',
    states: [['today is', { date: '2026-06-15' }], anAccessToken, ['statistics of a year']],
    holding: ['cohesion/stats-current-year'],
    call: async (client) => JSON.parse(await client.stats()),
  },
])('$description are read', read);

const pageBounds = (text: string) => ({ 'cohesion.per-page-bounds': `status 422 ${text}` });

/** Values that the document does not show for a parameter. */
const invalid: Omit<Read, 'states' | 'status'>[] = [
  {
    description: 'indicators with 101 on a page',
    path: indicators.path,
    query: { per_page: '101' },
    gaps: pageBounds('over 100'),
    holding: pageSizes,
    call: (client) => client.indicators({ per_page: 101 }),
  },
  {
    description: 'indicators with none on a page',
    path: indicators.path,
    query: { per_page: '0' },
    gaps: pageBounds('below 1'),
    holding: pageSizes,
    call: (client) => client.indicators({ per_page: 0 }),
  },
  {
    description: 'interventions with 101 on a page',
    path: interventions.path,
    query: { per_page: '101' },
    gaps: pageBounds('over 100'),
    holding: ['cohesion/interventions-per-page', 'cohesion/per-page'],
    call: (client) => client.interventions({ per_page: 101 }),
  },
  {
    description: 'interventions of a year that is not YYYY',
    path: interventions.path,
    query: { annee: '26' },
    holding: ['cohesion/interventions-year'],
    call: (client) => client.interventions({ annee: 26 }),
  },
  {
    description: 'statistics of a year that is not YYYY',
    path: stats,
    query: { annee: '26' },
    holding: ['cohesion/stats-year'],
    call: (client) => client.stats(26),
  },
];

const current: Operation<Dashboard> = { ...reading, ...me, name: 'the current user' };

const withAbility: { of: Omit<Operation<Dashboard>, 'method'>; ability: string; holding: string }[] = [
  {
    of: { ...indicators, name: 'the indicators' },
    ability: 'read:indicators',
    holding: 'cohesion/ability-indicators',
  },
  {
    of: { ...indicatorAt(7), name: 'an indicator', states: [['an indicator']] },
    ability: 'read:indicators',
    holding: 'cohesion/ability-indicator',
  },
  {
    of: { ...interventions, name: 'the interventions' },
    ability: 'read:interventions',
    holding: 'cohesion/ability-interventions',
  },
  {
    of: { ...structures, name: 'the structures' },
    ability: 'read:structures',
    holding: 'cohesion/ability-structures',
  },
  {
    of: { path: stats, name: 'the statistics', call: (client) => client.stats() },
    ability: 'read:stats',
    holding: 'cohesion/ability-stats',
  },
];
const operations = withAbility.map(({ of }) => ({ ...reading, ...of }));

test.each<Read>([
  {
    ...indicatorAt(999_999),
    description: 'an unknown indicator',
    states: [anAccessToken, ['no indicator', { indicator_id: 999_999 }]],
    holding: ['cohesion/status-404'],
    status: 404,
  },
  ...invalid.map((one) => ({
    ...one,
    states: [anAccessToken],
    holding: ['cohesion/status-422', ...(one.holding ?? [])],
    status: 422,
  })),
  ...each([current], [expired, revoked, forged]),
  ...each([current, ...operations], [missing, unknown, inactive]),
  ...withAbility.flatMap(({ of, ability, holding }) => {
    const reason = lacking(ability);
    return each([{ ...reading, ...of }], [{ ...reason, holding: [...(reason.holding ?? []), holding] }]);
  }),
])('$description is refused', read);

test('a token that is sent with Basic is refused', () =>
  ask(pact, {
    ...reading,
    headers: { ...withToken, Authorization: bearer.basic },
    path: me.path,
    description: 'the current user with a token that is sent with Basic',
    states: [anAccessToken],
    holding: ['cohesion/bearer', 'cohesion/token-invalid', 'cohesion/status-401'],
  })
    .willRespondWith(401, json)
    .executeTest(async ({ url }) => {
      const headers = { Accept: 'application/json', Authorization: `Basic ${exampleToken}` };
      expect(await statusOf(`${url}${me.path}`, headers)).toBe(401);
    }));
