import { payload } from '../../contracts/gaps/is/changes.ts';
import { fieldsOf, type Json, jsonOr } from '../../contracts/json.ts';
import { readStats } from '../../gateway/api/cohesion/calls/stats.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Variant, Variants } from './types.ts';

/** Alternatives for the payloads of cohesion. Figures and names are those of the stub's data. */

/** What a new event is about. `known`: the payload as the reference makes it. */
interface About {
  known: Json;
  at: number;
  rows: Rows;
}

const payloadOf = (type: string, change: (data: Json, about: About) => Promise<Json>): Variant => ({
  at: 'names',
  async event(message, event, rows) {
    if (event.type !== type) return message;
    const known = fieldsOf(fieldsOf(jsonOr(event.body, {})).data);
    const changed = await change(fieldsOf(fieldsOf(message.body).data), { known, at: event.created_at, rows });
    return payload(() => changed)(message);
  },
});

/** A user who has a token, and whom the event does not name already if there is another one. */
async function tokenUser(rows: Rows, named?: unknown): Promise<Json> {
  const users = await rows.list('users', { where: { active: true }, order: [['id', 'asc']] });
  const tokens = await rows.list('tokens', { order: [['id', 'asc']] });
  const holders = users.filter(({ id }) => tokens.some(({ user_id }) => user_id === id));
  const { id, name } = [...holders, ...users].find((user) => user.id !== named) ?? users[0] ?? someone;
  return { id, name };
}

/** In data without users. */
const someone = { id: 2, name: 'Issouf Ouattara' };

async function lastDay({ known: { intervention_id: id }, at, rows }: About): Promise<string> {
  const row = typeof id === 'number' ? await rows.get('interventions', { id }) : undefined;
  return row?.date_fin ?? new Date(at).toISOString().slice(0, 10);
}

async function planId({ known: { annee }, rows }: About): Promise<number> {
  const plans = await rows.list('plans', { order: [['annee', 'asc']] });
  return Math.max(1, plans.findIndex((plan) => plan.annee === annee) + 1);
}

async function planFigures({ known: { annee }, rows }: About): Promise<Json> {
  const { interventions } = await readStats(rows, { annee: Number(annee) });
  const financings = await rows.list('financings', { where: { exercice: Number(annee), devise: 'XOF' } });
  return { interventions: interventions.total, montant: sumOf(financings.map(({ montant }) => montant)).toNumber() };
}

async function reportContent({ known: { rapport_id: id, annee }, rows }: About): Promise<Json> {
  const report = typeof id === 'number' ? await rows.get('reports', { id }) : undefined;
  return fieldsOf(report?.content ?? (await readStats(rows, { annee: Number(annee) })));
}

export const cohesionEventVariants: Variants<'cohesion'> = {
  'cohesion.validated-by=token-user': payloadOf('intervention.validated', async (data, { known, rows }) => ({
    ...data,
    validated_by: await tokenUser(rows, fieldsOf(known.validated_by).id),
  })),
  'cohesion.intervention-terminated-payload=terminated-by': payloadOf('intervention.terminated', async (data, about) => ({
    ...data,
    terminated_by: await tokenUser(about.rows),
    date_fin: await lastDay(about),
  })),
  'cohesion.intervention-suspended-payload=suspended-by': payloadOf('intervention.suspended', async (data, { rows }) => ({
    ...data,
    suspended_by: await tokenUser(rows),
    motif: 'Budget',
  })),
  'cohesion.plan-closed-payload=plan-id': payloadOf('plan.closed', async ({ annee }, about) => ({
    plan_id: await planId(about),
    intitule: `Plan annuel ${annee}`,
  })),
  'cohesion.plan-closed-payload=figures': payloadOf('plan.closed', async (data, about) => ({
    ...data,
    ...(await planFigures(about)),
  })),
  // `.example` is reserved for addresses that lead nowhere.
  'cohesion.rapport-ready-payload=url': payloadOf('rapport.ready', async (data) => ({
    ...data,
    url: `https://cohesion.example/rapports/${data.rapport_id}.${data.format}`,
  })),
  'cohesion.rapport-ready-payload=report': payloadOf('rapport.ready', async ({ annee }, about) => ({
    annee,
    ...(await reportContent(about)),
  })),
};
