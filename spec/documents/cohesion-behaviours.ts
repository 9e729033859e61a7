import { type Behaviour, section } from './behaviour.ts';

const me = 'GET /api/v1/me';
const indicators = 'GET /api/v1/indicateurs';
const indicator = 'GET /api/v1/indicateurs/{id}';
const interventions = 'GET /api/v1/interventions';
const structures = 'GET /api/v1/structures';
const stats = 'GET /api/v1/stats';
const create = 'POST /api/v1/financements';
const update = 'PUT /api/v1/financements/{id}';
const lists = [indicators, interventions, structures];
const writes = [create, update];
const withAbility = [...lists, indicator, stats, ...writes];
const all = [me, ...withAbility];
const validated = 'intervention.validated';
const events = [
  validated,
  'intervention.terminated',
  'intervention.suspended',
  'indicator.alert',
  'plan.closed',
  'rapport.ready',
];

/** The documented fields of one table: the id, the row's words, and the place in the reply or message. */
const fields = (part: string, on: readonly string[], rows: readonly (readonly [id: string, says: string, field: string])[]) =>
  rows.map(([id, says, field]) => ({ id, part, says, on, field }));

/** What `spec/social-cohesion.md` promises. */
export const cohesionBehaviours: readonly Behaviour[] = [
  ...section('cohesion', '1. What the service does', [
    { id: 'https-only', says: 'A JSON-only API over HTTPS', on: all },
    { id: 'utf-8', says: 'UTF-8 everywhere', on: all },
    { id: 'json', says: 'requests and responses are JSON only', on: all },
    { id: 'no-caching', says: 'no HTTP caching', on: all },
    { id: 'last-use', says: 'each call records last_used_at', on: all },
    { id: 'last-address', says: 'and the caller IP on the token', on: all },
    { id: 'base-path', says: 'Paths start with /api/v1.', on: all },
  ]),
  ...section('cohesion', '2. Resources and their fields', [
    ...fields(
      'Current user and token (data of /me)',
      [me],
      [
        ['me-user-id', 'user.id | integer', 'data.user.id'],
        ['me-user-name', 'user.name | string', 'data.user.name'],
        ['me-user-email', 'user.email | string', 'data.user.email'],
        ['me-user-role', 'user.role | string', 'data.user.role'],
        ['me-token-name', 'token.name | string', 'data.token.name'],
        ['me-token-abilities', 'token.abilities | array of string', 'data.token.abilities'],
        ['me-token-last-used', 'token.last_used_at | string | ISO 8601 UTC timestamp', 'data.token.last_used_at'],
      ],
    ),
    ...fields(
      'Indicator',
      [indicators],
      [
        ['indicator-id', 'id | integer', 'data.*.id'],
        ['indicator-code', 'code | string', 'data.*.code'],
        ['indicator-title', 'intitule | string', 'data.*.intitule'],
        ['indicator-type', 'one of activite, resultat, impact', 'data.*.type'],
        ['indicator-unit', 'unit of measure', 'data.*.unite'],
        ['indicator-value', 'valeur_courante | number', 'data.*.valeur_courante'],
        ['indicator-target', 'cible_annuelle | number', 'data.*.cible_annuelle'],
        ['indicator-rate', 'taux_atteinte | number', 'data.*.taux_atteinte'],
        ['indicator-alert-state', 'alert_state | string', 'data.*.alert_state'],
        ['indicator-kpi', 'is_kpi | boolean', 'data.*.is_kpi'],
      ],
    ),
    { id: 'active-indicators', says: 'Only active indicators are listed.', on: [indicators] },
    ...fields('Pagination block (meta of every paginated list)', lists, [
      ['page-number', 'page | integer', 'meta.page'],
      ['page-size', 'per_page | integer', 'meta.per_page'],
      ['page-total', 'total | integer', 'meta.total'],
      ['page-last', 'last_page | integer', 'meta.last_page'],
    ]),
    ...fields(
      'External financing',
      [create],
      [
        ['financing-id', 'id | integer | present in responses', 'data.id'],
        ['financing-structure', 'structure_id | integer', 'data.structure_id'],
        ['financing-year', 'fiscal year, YYYY', 'data.exercice'],
        ['financing-funder', 'funder name', 'data.bailleur'],
        ['financing-type', 'the sample value is "bailleur"', 'data.type'],
        ['financing-title', 'intitule | string', 'data.intitule'],
        ['financing-amount', 'montant | number', 'data.montant'],
        ['financing-currency', 'currency code, present in responses', 'data.devise'],
        ['financing-status', 'sample values are promis and obtenu', 'data.statut'],
      ],
    ),
    { id: 'no-drafts', says: 'Interventions are listed without drafts.', on: [interventions] },
    { id: 'intervention-statuses', says: 'Their statuses include en_cours, termine and approuve.', on: [interventions] },
    { id: 'active-structures', says: 'Only active structures are listed.', on: [structures] },
  ]),
  ...section('cohesion', '3. States and transitions', [
    { id: 'validation', says: 'approuve | event intervention.validated is sent', on: [interventions, validated] },
    { id: 'status-given', says: 'status given in the body (statut)', on: [update] },
  ]),
  ...section('cohesion', '4. Endpoints', [
    { id: 'paginated', says: 'Lists are paginated and answer with a data array and a meta block.', on: lists },
    { id: 'me', says: 'data with user and token.', on: [me] },
    { id: 'ability-indicators', says: '/api/v1/indicateurs | read:indicators', on: [indicators] },
    { id: 'ability-indicator', says: '/api/v1/indicateurs/{id} | read:indicators', on: [indicator] },
    { id: 'ability-interventions', says: '/api/v1/interventions | read:interventions', on: [interventions] },
    { id: 'ability-structures', says: '/api/v1/structures | read:structures', on: [structures] },
    { id: 'ability-stats', says: '/api/v1/stats | read:stats', on: [stats] },
    { id: 'ability-create', says: '/api/v1/financements | write:financements', on: [create] },
    { id: 'ability-update', says: '/api/v1/financements/{id} | write:financements', on: [update] },
    { id: 'indicators-per-page', says: 'per_page (integer 1-100, default 25)', on: [indicators] },
    { id: 'indicators-type', says: 'type (activite, resultat or impact)', on: [indicators] },
    { id: 'indicators-kpi', says: 'kpi (true/false', on: [indicators] },
    { id: 'indicators-kpi-1', says: '1 is also used', on: [indicators] },
    { id: 'indicators-search', says: 'q (search in title) | none | data: array of indicator', on: [indicators] },
    { id: 'indicator-detail', says: 'Detail of one indicator.', on: [indicator] },
    { id: 'interventions-status', says: 'statut (e.g. en_cours, termine, approuve)', on: [interventions] },
    { id: 'interventions-region', says: 'region (region name); annee', on: [interventions] },
    { id: 'interventions-year', says: 'annee (YYYY); q', on: [interventions] },
    { id: 'interventions-search', says: 'q (search in title); per_page', on: [interventions] },
    { id: 'interventions-per-page', says: 'per_page (maximum 100)', on: [interventions] },
    { id: 'structures-type', says: 'type (e.g. ong, ministere, partenaire)', on: [structures] },
    { id: 'structures-region', says: 'region (region name); q (search in name)', on: [structures] },
    { id: 'structures-search', says: 'q (search in name)', on: [structures] },
    { id: 'stats-year', says: 'annee (YYYY, default', on: [stats] },
    { id: 'stats-current-year', says: 'default: current year', on: [stats] },
    { id: 'stats', says: 'Aggregated statistics for one fiscal year.', on: [stats] },
    { id: 'create-financing', says: 'data: the created financing, with id and devise.', on: [create] },
    { id: 'update-financing', says: 'same fields as create | Updated financing.', on: [update] },
    { id: 'perimeter-create', says: 'outside the perimeter of the token, the answer is 403', on: [create] },
    { id: 'perimeter-target', says: 'both the targeted financing', on: [update] },
    { id: 'perimeter-sent', says: 'the sent structure_id must stay in the perimeter', on: [update] },
  ]),
  ...section('cohesion', '5. Authentication', [
    { id: 'bearer', says: 'Every request carries Authorization: Bearer <ACCESS_TOKEN>.', on: all },
    { id: 'token-missing', says: 'Missing or invalid token gives 401.', on: all },
    { id: 'token-invalid', says: 'invalid token gives 401', on: all },
    { id: 'ability-missing', says: 'A missing ability', on: withAbility, status: 403 },
    { id: 'user-inactive', says: 'or an inactive user, gives 403', on: all },
  ]),
  ...section('cohesion', '6. Events', [
    { id: 'intervention-validated', says: 'intervention.validated |', on: [validated] },
    { id: 'intervention-terminated', says: 'intervention.terminated |', on: ['intervention.terminated'] },
    { id: 'intervention-suspended', says: 'intervention.suspended |', on: ['intervention.suspended'] },
    { id: 'indicator-alert', says: 'indicator.alert |', on: ['indicator.alert'] },
    { id: 'plan-closed', says: 'plan.closed |', on: ['plan.closed'] },
    { id: 'rapport-ready', says: 'rapport.ready |', on: ['rapport.ready'] },
    ...fields(
      'Payload of intervention.validated',
      [validated],
      [
        ['validated-event', 'event | string, the event name', 'event'],
        ['validated-delivered-at', 'ISO 8601 timestamp with offset', 'delivered_at'],
        ['validated-intervention', 'data.intervention_id | integer', 'data.intervention_id'],
        ['validated-reference', 'data.reference | string', 'data.reference'],
        ['validated-title', 'data.intitule | string', 'data.intitule'],
        ['validated-structure', 'data.structure_id | integer', 'data.structure_id'],
        ['validated-region', 'data.region | string', 'data.region'],
        ['validated-by-id', 'data.validated_by.id | integer', 'data.validated_by.id'],
        ['validated-by-name', 'data.validated_by.name | string', 'data.validated_by.name'],
      ],
    ),
    { id: 'signature-form', says: 'whose value is "sha256=" followed by the hexadecimal HMAC-SHA256', on: events },
    { id: 'signature-body', says: 'of the raw request body, keyed with the webhook secret', on: events },
  ]),
  ...section('cohesion', '7. Errors', [
    { id: 'status-401', says: '401 | token missing or invalid', on: all },
    { id: 'status-403', says: '403 | ability missing', on: all },
    { id: 'status-404', says: '404 | resource not found', on: [indicator, update] },
    { id: 'status-422', says: '422 | validation failure', on: [...lists, stats, ...writes] },
  ]),
  ...section('cohesion', '8. Limits', [
    { id: 'per-page', says: '1 to 100, default 25', on: lists },
    { id: 'write-throttle-minute', says: 'requests per minute', on: writes, status: 429 },
    { id: 'write-throttle', says: '30 requests per minute', on: writes, status: 429 },
    { id: 'write-throttle-dedicated', says: 'per minute, dedicated', on: [...writes, me], status: 429 },
  ]),
];
