import { of, payload } from '../../contracts/tools/assumptions/changes.ts';
import { fieldsOf, type Json, jsonOr } from '../../contracts/tools/json.ts';
import { readStats } from '../../gateway/api/cohesion/calls/stats.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { factsOf } from './event-facts.ts';
import type { Variant, Variants } from './types.ts';

/** Alternatives for the payloads of cohesion. Figures and names are those of the stub's data. */

type Look = (data: Json, rows: Rows, event: Row<'events'>) => Promise<Json>;

/** Returns the payload. `facts`: what `look` has found; empty for an event that was never stored. */
type PayloadChange = (data: Json, facts: Json) => unknown;

const dataOf = ({ body }: Row<'events'>): Json => fieldsOf(fieldsOf(jsonOr(body, {})).data);

const payloadOf = (assumed: string, event: string, change: PayloadChange, look?: Look): Variant => ({
  ...(look && {
    async lookAtEvent(row, rows) {
      return row.type === event ? look(dataOf(row), rows, row) : undefined;
    },
  }),
  message: of(event, (message) => payload((data) => change(fieldsOf(data), fieldsOf(factsOf(message, assumed))))(message)),
});

/** Of an event that was never stored. */
const someone = { id: 2, name: 'Issouf Ouattara' };

const shownUser = ({ id, name }: Row<'users'>) => ({ id, name });

/** A user who has a token, and whom the event does not name already if there is another one. */
async function tokenUser(rows: Rows, named?: unknown): Promise<Json> {
  const users = await rows.list('users', { where: { active: true }, order: [['id', 'asc']] });
  const tokens = await rows.list('tokens', { order: [['id', 'asc']] });
  const holders = users.filter(({ id }) => tokens.some(({ user_id }) => user_id === id));
  const found = [...holders, ...users].find(({ id }) => id !== named) ?? users[0];
  return found ? shownUser(found) : someone;
}

const lastDay: Look = async ({ intervention_id: id }, rows, { created_at: at }) => {
  const row = typeof id === 'number' ? await rows.get('interventions', { id }) : undefined;
  return { by: await tokenUser(rows), date_fin: row?.date_fin ?? new Date(at).toISOString().slice(0, 10) };
};

const planOf: Look = async ({ annee }, rows) => {
  const plans = await rows.list('plans', { order: [['annee', 'asc']] });
  return { plan_id: Math.max(1, plans.findIndex((plan) => plan.annee === annee) + 1) };
};

const planFigures: Look = async ({ annee }, rows) => {
  const { interventions } = await readStats(rows, { annee: Number(annee) });
  const financings = await rows.list('financings', { where: { exercice: Number(annee), devise: 'XOF' } });
  return { interventions: interventions.total, montant: sumOf(financings.map(({ montant }) => montant)).toNumber() };
};

const reportContent: Look = async ({ rapport_id: id, annee }, rows) => {
  const report = typeof id === 'number' ? await rows.get('reports', { id }) : undefined;
  return fieldsOf(report?.content ?? (await readStats(rows, { annee: Number(annee) })));
};

const named = {
  validated: 'cohesion.validated-by=token-user',
  terminated: 'cohesion.intervention-terminated-payload=terminated-by',
  suspended: 'cohesion.intervention-suspended-payload=suspended-by',
  planId: 'cohesion.plan-closed-payload=plan-id',
  figures: 'cohesion.plan-closed-payload=figures',
  url: 'cohesion.rapport-ready-payload=url',
  report: 'cohesion.rapport-ready-payload=report',
} as const;

export const cohesionEventVariants: Variants = {
  [named.validated]: payloadOf(
    named.validated,
    'intervention.validated',
    (data, { by = someone }) => ({ ...data, validated_by: by }),
    async ({ validated_by }, rows) => ({ by: await tokenUser(rows, fieldsOf(validated_by).id) }),
  ),
  [named.terminated]: payloadOf(
    named.terminated,
    'intervention.terminated',
    (data, { by = someone, date_fin = '2026-09-30' }) => ({ ...data, terminated_by: by, date_fin }),
    lastDay,
  ),
  [named.suspended]: payloadOf(
    named.suspended,
    'intervention.suspended',
    (data, { by = someone }) => ({ ...data, suspended_by: by, motif: 'Budget' }),
    lastDay,
  ),
  [named.planId]: payloadOf(
    named.planId,
    'plan.closed',
    ({ annee }, { plan_id = 1 }) => ({ plan_id, intitule: `Plan annuel ${annee}` }),
    planOf,
  ),
  [named.figures]: payloadOf(
    named.figures,
    'plan.closed',
    (data, { interventions = 0, montant = 0 }) => ({ ...data, interventions, montant }),
    planFigures,
  ),
  // `.example` is reserved for addresses that lead nowhere.
  [named.url]: payloadOf(named.url, 'rapport.ready', (data) => ({
    ...data,
    url: `https://cohesion.example/rapports/${data.rapport_id}.${data.format}`,
  })),
  [named.report]: payloadOf(named.report, 'rapport.ready', ({ annee }, facts) => ({ annee, ...facts }), reportContent),
};
