import { type Edit, everyReply, type Mutation, mutation, withBasic } from './mutation.ts';

const file = (name: string) => `gateway/api/cohesion/${name}.ts`;
const routes = file('routes');
const identity = file('identity');
const indicators = file('calls/indicators');
const interventions = file('calls/interventions');
const structures = file('calls/structures');
const financings = file('calls/financings');
const errors = file('errors');

/** Removes the ability that an operation needs. */
const withoutAbility = (operation: string): Edit => [
  routes,
  new RegExp(`ability: '[a-z:]+',? ?([^}]*\\},\\s+schema: \\{\\s+operationId: '${operation}')`),
  '$1',
];

const meta = file('domain/lists');
const perPage = ['cohesion/indicators-per-page', 'cohesion/per-page'];
const schemas = file('schemas');

const everywhere: Mutation[] = [
  mutation(
    'replies in another character set',
    'cohesion/utf-8',
    everyReply("reply.header('content-type', 'application/json; charset=iso-8859-1');"),
  ),
  mutation(
    'replies that are called HTML',
    'cohesion/json',
    everyReply("reply.header('content-type', 'text/html; charset=utf-8');"),
  ),
  mutation('replies that may be cached', 'cohesion/no-caching', [
    'gateway/http/reply-headers.ts',
    "'cache-control': 'no-store'",
    "'cache-control': 'public, max-age=60'",
  ]),
  mutation('no Cache-Control', 'cohesion/no-caching', ['gateway/http/reply-headers.ts', "'cache-control': 'no-store'", '']),
  mutation('other paths', 'cohesion/base-path', [routes, /\/api\/v1\//g, '/v2/']),
  mutation('the token in another header', 'cohesion/bearer', [
    identity,
    'bearerToken(request, hint)',
    "String(request.headers['x-token'])",
  ]),
  mutation('the token with Basic', 'cohesion/bearer', withBasic),
  mutation('any secret of a known token', 'cohesion/token-invalid', [
    identity,
    '!matchesHash(secret, found?.token.token_hash) || !found',
    '!found',
  ]),
  mutation('revoked tokens', 'cohesion/token-invalid', [identity, 'if (revokedAt !== null)', 'if (false)']),
  mutation('the last use is not recorded', 'cohesion/last-use', [identity, 'last_used_at: now, ', 'last_used_at: 0, ']),
  mutation('the address is not recorded', 'cohesion/last-address', [
    identity,
    'this.#tokenUse.note(token.id, now, request.ip)',
    "this.#tokenUse.note(token.id, now, '192.0.2.9')",
  ]),
  mutation('the address is not stored', 'cohesion/last-address', [file('domain/token-use'), ', last_used_ip: ip', '']),
  mutation('plain HTTP for all machines', 'cohesion/https-only', [
    'gateway/start/config.ts',
    '!isLoopback(HOST) && TLS_CERT',
    'false && TLS_CERT',
  ]),
  mutation(
    'no data and meta',
    'cohesion/paginated',
    everyReply(`payload = String(payload).replace('"meta":', '"pagination":');`),
  ),
];

const lists: Mutation[] = [
  mutation('inactive indicators are listed', 'cohesion/active-indicators', [indicators, '{ active: true, type', '{ type']),
  mutation('drafts are listed', 'cohesion/no-drafts', [
    interventions,
    ': shownStatuses }',
    ": ['brouillon' as const, ...shownStatuses] }",
  ]),
  mutation('statuses with other names', 'cohesion/intervention-statuses', [
    interventions,
    'status === input.statut',
    'status.toUpperCase() === input.statut',
  ]),
  mutation('inactive structures are listed', 'cohesion/active-structures', [structures, '    active: true,\n', '']),
  mutation('20 rows by default', perPage, [schemas, '.default(25)', '.default(20)']),
  mutation('50 rows at most', [...perPage, 'cohesion/interventions-per-page'], [schemas, 'intParam(1, 100)', 'intParam(1, 50)']),
  mutation(
    '500 rows at most',
    [...perPage, 'cohesion/interventions-per-page'],
    [schemas, 'intParam(1, 100)', 'intParam(1, 500)'],
  ),
  mutation('pages of no row', perPage, [schemas, 'intParam(1, 100)', 'intParam(0, 100)']),
  mutation('per_page is ignored', 'cohesion/indicators-per-page', [file('domain/lists'), 'limit: perPage', 'limit: 25']),
  mutation('another page number', 'cohesion/page-number', [meta, 'meta: { page, per_page', 'meta: { page: 1, per_page']),
  mutation('another page size', 'cohesion/page-size', [meta, 'per_page: perPage, total', 'per_page: total, total']),
  mutation('the total is of the page', 'cohesion/page-total', [meta, 'perPage, total, last', 'perPage, total: perPage, last']),
  mutation('the total is of all', 'cohesion/page-total', [meta, 'rows.count(table, where)', 'rows.count(table, {})']),
  mutation('the last page is not full', 'cohesion/page-last', [meta, 'Math.ceil', 'Math.floor']),
  mutation(
    'q is its first letter',
    ['cohesion/indicators-search', 'cohesion/interventions-search', 'cohesion/structures-search'],
    [meta, '{ contains: folded }', '{ contains: folded.slice(0, 1) }'],
  ),
  mutation('indicators: type is ignored', 'cohesion/indicators-type', [indicators, 'type: input.type, ', '']),
  mutation('indicators: kpi is ignored', 'cohesion/indicators-kpi', [indicators, 'is_kpi: kpi, ', '']),
  mutation('indicators: kpi=1 means false', 'cohesion/indicators-kpi-1', [indicators, "['true', '1']", "['true']"]),
  mutation('indicators: q is ignored', 'cohesion/indicators-search', [indicators, ', search: containing(input.q)', '']),
  mutation('interventions: statut is ignored', 'cohesion/interventions-status', [
    interventions,
    'status === input.statut',
    'true',
  ]),
  mutation('interventions: region is ignored', 'cohesion/interventions-region', [
    interventions,
    '    region_search: equalTo(input.region),\n',
    '',
  ]),
  mutation('interventions: annee is ignored', 'cohesion/interventions-year', [interventions, '    annee: input.annee,\n', '']),
  mutation('interventions: q is ignored', 'cohesion/interventions-search', [
    interventions,
    '    search: containing(input.q),\n',
    '',
  ]),
  mutation('structures: type is ignored', 'cohesion/structures-type', [structures, '    type: input.type || undefined,\n', '']),
  mutation('structures: region is ignored', 'cohesion/structures-region', [
    structures,
    '    region_search: equalTo(input.region),\n',
    '',
  ]),
  mutation('structures: q is ignored', 'cohesion/structures-search', [structures, '    search: containing(input.q),\n', '']),
  mutation(
    'years of two digits',
    ['cohesion/interventions-year', 'cohesion/stats-year'],
    ['gateway/http/fields.ts', 'digits(/^[1-9][0-9]{3}$/', 'digits(/^[0-9]+$/'],
  ),
];

const reads: Mutation[] = [
  mutation('another path of /me', 'cohesion/me', [routes, "'/api/v1/me'", "'/api/v1/moi'"]),
  ...[
    ['me-user-name', 'name: user.name', 'name: user.email'],
    ['me-user-email', 'email: user.email', "email: 'awa@example.org'"],
    ['me-user-role', 'role: user.role', "role: 'gestionnaire'"],
    ['me-token-name', 'name: token.name', 'name: user.name'],
    [
      'me-token-abilities',
      '[...token.abilities]',
      "['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements']",
    ],
    ['me-token-last-used', 'toInstant(token.last_used_at)', 'toInstant(token.created_at)'],
  ].map(([field = '', before = '', after = '']) =>
    mutation(`another ${field}`, `cohesion/${field}`, [file('views'), before, after]),
  ),
  mutation("the id of the user is the token's", 'cohesion/me-user-id', [file('views'), 'id: user.id', 'id: token.id']),
  ...[
    ['id', 'row.id', '1'],
    ['code', 'row.code', 'row.unite'],
    ['title', 'row.intitule', 'row.code'],
    ['type', 'row.type', "'resultat'"],
    ['unit', 'row.unite', "'%'"],
    ['value', 'row.valeur_courante', 'row.cible_annuelle'],
    ['target', 'row.cible_annuelle', 'row.valeur_courante'],
    ['rate', '(row.valeur_courante, row.cible_annuelle)', '(row.cible_annuelle, row.valeur_courante)'],
    ['alert-state', 'row.alert_state', "'none'"],
    ['kpi', 'row.is_kpi', 'true'],
  ].map(([field = '', before = '', after = '']) =>
    mutation(`another ${field} of an indicator`, `cohesion/indicator-${field}`, [file('views'), before, after]),
  ),
  mutation('no detail of an indicator', 'cohesion/indicator-detail', [
    routes,
    "'/api/v1/indicateurs/:id'",
    "'/api/v1/indicateur/:id'",
  ]),
  mutation('no statistics', 'cohesion/stats', [routes, "'/api/v1/stats'", "'/api/v1/statistiques'"]),
  mutation('statistics of all years', 'cohesion/stats', [
    file('calls/stats'),
    '{ annee, statut: { in: shownStatuses } }',
    '{ statut: { in: shownStatuses } }',
  ]),
  mutation('statistics: annee is ignored', 'cohesion/stats-year', [routes, 'request.query.annee ?? ', '']),
  mutation('statistics of last year by default', 'cohesion/stats-current-year', [
    routes,
    'getUTCFullYear()',
    'getUTCFullYear() - 1',
  ]),
];

const writes: Mutation[] = [
  mutation('no creation', 'cohesion/create-financing', [routes, "url: '/api/v1/financements',", "url: '/api/v1/financement',"]),
  ...[
    ['status', "statut: 'promis'"],
    ['year', 'exercice: 2026'],
    ['funder', "bailleur: 'Banque mondiale'"],
    ['title', 'intitule: input.bailleur'],
  ].map(([field = '', stored = '']) =>
    mutation(`a creation stores another ${field}`, `cohesion/financing-${field}`, [
      financings,
      '...input,',
      `...input, ${stored},`,
    ]),
  ),
  mutation('the structure is the financing', 'cohesion/financing-structure', [
    file('views'),
    /structure_id: row\.structure_id,(\s+exercice)/,
    'structure_id: row.id,$1',
  ]),
  mutation('an update keeps the structure', 'cohesion/update-financing', [
    financings,
    '{ montant, ...others }',
    '{ montant, structure_id: _, ...others }',
  ]),
  mutation('an update takes only the status', 'cohesion/update-financing', [
    schemas,
    'changeOf({ ...financingFields, devise },',
    'changeOf({ statut: financingFields.statut },',
  ]),
  mutation('an update keeps the status', 'cohesion/status-given', [
    financings,
    '{ montant, ...others }',
    '{ montant, statut: _, ...others }',
  ]),
  mutation('a creation without montant', 'cohesion/financing-amount', [financings, 'String(input.montant)', "'1'"]),
  mutation('an update without montant', 'cohesion/update-financing', [financings, ': String(montant)', ': undefined']),
  mutation('creation outside the perimeter', 'cohesion/perimeter-create', [
    financings,
    / {2}within\(caller, input\.structure_id, .*\n/,
    '',
  ]),
  mutation('updates of financings outside the perimeter', 'cohesion/perimeter-target', [
    financings,
    / {2}within\(caller, before\.structure_id, .*\n/,
    '',
  ]),
  mutation('updates to structures outside the perimeter', 'cohesion/perimeter-sent', [
    financings,
    / {4}within\(caller, sent\.structure_id, .*\n/,
    '',
  ]),
  mutation(
    'any fiscal year',
    ['cohesion/financing-year', 'cohesion/status-422'],
    [schemas, ".min(1900, 'must be 1900 or later')", '.min(1)'],
  ),
  {
    ...mutation('20 writes a minute', 'cohesion/write-throttle', [routes, 'writesPerMinute = 30', 'writesPerMinute = 20']),
    byState: true,
  },
  mutation('31 writes a minute', 'cohesion/write-throttle', [routes, 'writesPerMinute = 30', 'writesPerMinute = 31']),
  mutation('windows of 50 seconds', 'cohesion/write-throttle-minute', [routes, 'windowMs: 60_000', 'windowMs: 50_000']),
  mutation('windows of 61 seconds', 'cohesion/write-throttle-minute', [routes, 'windowMs: 60_000', 'windowMs: 61_000']),
  mutation('reads count as writes', 'cohesion/write-throttle-dedicated', [
    file('api'),
    'limits: [],',
    "limits: [{ name: 'all', windowMs: 60_000, max: 30, per: 'token', key: (request) => request.caller?.id ?? request.ip }],",
  ]),
];

const refusals: Mutation[] = [
  ...[
    ['ability-indicators', 'listIndicators'],
    ['ability-indicator', 'readIndicator'],
    ['ability-interventions', 'listInterventions'],
    ['ability-structures', 'listStructures'],
    ['ability-stats', 'readStats'],
    ['ability-create', 'createFinancing'],
    ['ability-update', 'updateFinancing'],
  ].map(([id, operation = '']) => mutation(`${operation} needs no ability`, `cohesion/${id}`, withoutAbility(operation))),
  mutation('abilities are not checked', 'cohesion/ability-missing', [
    identity,
    'if (ability !== undefined && ',
    'if (false && ability !== undefined && ',
  ]),
  mutation('inactive users may call', 'cohesion/user-inactive', [identity, 'if (!user.active)', 'if (false)']),
  mutation(
    '400 without a valid token',
    ['cohesion/token-missing', 'cohesion/token-invalid', 'cohesion/status-401'],
    [errors, 'unauthorized: 401', 'unauthorized: 400'],
  ),
  mutation('401 for what is forbidden', 'cohesion/status-403', [errors, 'forbidden: 403', 'forbidden: 401']),
  mutation('410 for what does not exist', 'cohesion/status-404', [errors, 'not_found: 404', 'not_found: 410']),
  mutation('400 for what is not valid', 'cohesion/status-422', [errors, 'invalid: 422', 'invalid: 400']),
];

const sign = 'gateway/webhooks/sending/sign.ts';
const signed = 'cohesion/signature-body';

const events: Mutation[] = [
  ...[
    'intervention.validated',
    'intervention.terminated',
    'intervention.suspended',
    'indicator.alert',
    'plan.closed',
    'rapport.ready',
  ].map(
    (type): Mutation => ({
      ...mutation(`${type} has another name`, `cohesion/${type.replace('.', '-')}`, [
        file('events'),
        `type: '${type}'`,
        `type: '${type}d'`,
      ]),
      byState: true,
    }),
  ),
  {
    ...mutation('validated interventions are terminated', 'cohesion/validation', [
      file('domain/intervention-moves'),
      "to: 'approuve'",
      "to: 'termine'",
    ]),
  },
  {
    ...mutation('a validation sends no event', 'cohesion/validation', [
      file('back-office/interventions'),
      'change.emit(interventionValidated',
      'void (interventionValidated',
    ]),
    byState: true,
  },
  ...[
    ['intervention', 'intervention_id: row.id', 'intervention_id: row.structure_id'],
    ['reference', 'reference: row.reference', 'reference: row.intitule'],
    ['title', 'intitule: row.intitule', 'intitule: row.reference'],
    ['structure', 'structure_id: row.structure_id', 'structure_id: row.id'],
    ['region', 'region: row.region', "region: 'Gbêkê'"],
    ['by-id', '{ id: user.id', '{ id: moved.id'],
    ['by-name', 'name: user.name', 'name: user.email'],
  ].map(([field = '', before = '', after = '']) =>
    mutation(`another ${field} of a validation`, `cohesion/validated-${field}`, [
      file('back-office/interventions'),
      before,
      after,
    ]),
  ),
  mutation('another hash', 'cohesion/signature-form', [sign, '`sha256=${createHmac', '`sha512=${createHmac']),
  mutation('a signature in base64', 'cohesion/signature-form', [
    sign,
    "update(body).digest('hex')",
    "update(body).digest('base64')",
  ]),
  mutation('a signature over other bytes', signed, [
    sign,
    "createHmac('sha256', secret).update(body)",
    "createHmac('sha256', secret).update(body + '\\n')",
  ]),
  mutation('a signature with another key', signed, [sign, "createHmac('sha256', secret)", "createHmac('sha256', secret + '!')"]),
];

export const cohesionMutations: readonly Mutation[] = [...everywhere, ...lists, ...reads, ...writes, ...refusals, ...events];
