import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import { data, on, payload } from '../../contracts/tools/assumptions/changes.ts';
import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { everywhere, mappedValues, scaled } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import type { Json } from '../../contracts/tools/json.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { cohesionEventVariants } from './cohesion-events.ts';
import { cohesionFinancingVariants } from './cohesion-financings.ts';
import { cohesionListVariants } from './cohesion-lists.ts';
import { cohesionValueVariants } from './cohesion-values.ts';
import { wrong } from './refused.ts';
import type { Changed, Variant, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

const create = 'POST /financements';
const update = 'PUT /financements/{id}';

const bodies =
  (operations: readonly string[], change: (fields: Json) => Json) =>
  (asked: Asked): Changed =>
    operations.includes(asked.operation) ? { body: { ...sent(asked), ...change(sent(asked)) } } : {};

/** The limit on reads that the reference does not have. */
const reads: LimitRule = {
  name: 'reads',
  windowMs: 60_000,
  max: 60,
  per: 'token',
  key: ({ caller, ip }) => caller?.id ?? ip,
  // Open operations and unknown paths have no caller.
  holdsFor: ({ caller, method }) => caller !== null && (method === 'GET' || method === 'HEAD'),
};

/** Gives a field that was not sent. */
const byDefault = (operations: readonly string[], field: string, value: unknown): Variant => ({
  request: bodies(operations, (fields) => (fields[field] === undefined ? { [field]: value } : {})),
});

/** The nearest number within bounds; anything but a whole number stays as it is. */
const cut = (value: string, least: number, most: number) =>
  /^-?\d+$/.test(value) ? String(Math.min(Math.max(Number(value), least), most)) : value;

/** Refuses writes to a fiscal year for which `isRefused` returns true of its plan. */
const refusesYears = (
  message: string,
  isRefused: (plan: Row<'plans'> | undefined, year: number, now: number) => boolean,
): Variant => ({
  async request(asked, { store, now }) {
    const { exercice } = sent(asked);
    if (![create, update].includes(asked.operation) || typeof exercice !== 'number') return undefined;
    const plan = await store.get('plans', { annee: exercice });
    return isRefused(plan, exercice, now) ? wrong(422, wrongValue('exercice', message)) : undefined;
  },
});

/** The words for the reference's alert states, whose thresholds stay the same: so `/stats` counts as the rows say. */
const alertStates = (words: Readonly<Record<string, string>>): Variant => ({
  reply: on(['GET /indicateurs', 'GET /indicateurs/{id}'], data(everywhere(['alert_state'], mappedValues(words)))),
});

export const cohesionVariants: Variants = {
  ...cohesionListVariants,
  ...cohesionValueVariants,
  ...cohesionEventVariants,
  ...cohesionFinancingVariants,
  'cohesion.read-throttle=60-per-minute': { limits: [reads] },
  'cohesion.alert-states=degrees': alertStates({ under: 'warning', over: 'critical' }),
  'cohesion.alert-states=performance': alertStates({ under: 'under_performance', over: 'over_performance' }),
  // indicator.alert has the rate too.
  'cohesion.attainment-rate=fraction': { message: payload(everywhere(['taux_atteinte'], scaled(0.01))) },
  // Triggers of the stub (`causes/cohesion.ts`).
  'cohesion.validation-source=termine-only': {},
  'cohesion.intervention-transitions=terminate-approuve': {},
  'cohesion.plan-closed-condition=writes-refused': refusesYears(
    'must be a year whose plan is not closed',
    (plan) => plan?.statut === 'closed',
  ),
  'cohesion.financing-bounds=open-year-only': refusesYears(
    'must be the current year, or one with an open plan',
    (plan, year, now) => year !== new Date(now).getUTCFullYear() && plan?.statut !== 'open',
  ),
  'cohesion.strict-bodies=ignored': { request: withoutUnknownFields('cohesion') },
  'cohesion.strict-queries=ignored': { request: withoutUnknownQuery('cohesion') },
  'cohesion.devise-sent=ignored': {
    request: bodies([create, update], () => ({ devise: undefined })),
  },
  'cohesion.devise-sent=other-default': byDefault([create], 'devise', 'EUR'),
  'cohesion.financing-create-required=statut-optional': byDefault([create], 'statut', 'promis'),
  'cohesion.financing-create-required=type-optional': byDefault([create], 'type', 'bailleur'),
  'cohesion.per-page-bounds=cut': {
    request: ({ query }) => ({
      query: {
        ...query,
        ...(query.per_page !== undefined && { per_page: cut(query.per_page, 1, 100) }),
        ...(query.page !== undefined && { page: cut(query.page, 1, Number.MAX_SAFE_INTEGER) }),
      },
    }),
  },
  'cohesion.structures-per-page=always-25': {
    request: ({ operation, query: { per_page: _perPage, ...query } }) => (operation === 'GET /structures' ? { query } : {}),
  },
};
