import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Asked, CallFacts, EventFacts } from '../../contracts/gaps/is/is.ts';
import { payments } from '../../contracts/gaps/is/pos.ts';
import { fieldsOf, type Json, jsonOr } from '../../contracts/json.ts';
import { shownOfRequest } from '../../contracts/openapi/operations.ts';
import { readStats } from '../../gateway/api/cohesion/calls/stats.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';

/** What the stub says for alternatives beside a request of this caller. */
export const factsOfCall =
  (api: ServiceName) =>
  async ({ operation, body }: Asked, store: Pick<Store, 'get'>, caller: unknown): Promise<CallFacts> => {
    const { reference } = fieldsOf(body);
    const isOfSale = operation === payments && typeof reference === 'string';
    const sale = isOfSale
      ? await store.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference })
      : undefined;
    const isOwn = sale?.account_id === (caller as { account?: { id: string } } | null)?.account?.id;
    return {
      ...shownOfRequest(api, operation),
      customerPhone: isOwn ? sale?.customer_phone : undefined,
    };
  };

/** What the stub's data say for alternatives beside a new event. `rows`: those of its change. */
export async function factsOfEvent({ type, body, created_at }: Row<'events'>, rows: Rows): Promise<Partial<EventFacts>> {
  const data = fieldsOf(fieldsOf(jsonOr(body, {})).data);
  const annee = Number(data.annee);
  if (type.startsWith('intervention.')) {
    const intervention = await rows.get('interventions', { id: Number(data.intervention_id) });
    const lastDay = intervention?.date_fin ?? new Date(created_at).toISOString().slice(0, 10);
    return { user: await tokenUser(rows, fieldsOf(data.validated_by).id), lastDay };
  }
  if (type === 'plan.closed') {
    const plans = await rows.list('plans', { order: [['annee', 'asc']] });
    const planId = Math.max(1, plans.findIndex((plan) => plan.annee === annee) + 1);
    const { interventions } = await readStats(rows, { annee });
    const financings = await rows.list('financings', { where: { exercice: annee, devise: 'XOF' } });
    const montant = sumOf(financings.map((one) => one.montant)).toNumber();
    return { planId, figures: { interventions: interventions.total, montant } };
  }
  if (type === 'rapport.ready') {
    const report = await rows.get('reports', { id: Number(data.rapport_id) });
    return { report: fieldsOf(report?.content ?? (await readStats(rows, { annee }))) };
  }
  return {};
}

/** A user who has a token, and who is not this one if there is another. */
async function tokenUser(rows: Rows, named: unknown): Promise<Json> {
  const users = await rows.list('users', { where: { active: true }, order: [['id', 'asc']] });
  const tokens = await rows.list('tokens', { order: [['id', 'asc']] });
  const holders = users.filter(({ id }) => tokens.some(({ user_id }) => user_id === id));
  const { id, name } = [...holders, ...users].find((user) => user.id !== named) ?? users[0] ?? nobody;
  return { id, name };
}

/** In data without users. */
const nobody = { id: 2, name: 'Issouf Ouattara' };
