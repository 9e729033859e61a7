import { setIndicatorValue } from '../../gateway/api/cohesion/back-office/indicators.ts';
import { moveIntervention, validateIntervention } from '../../gateway/api/cohesion/back-office/interventions.ts';
import { closePlan } from '../../gateway/api/cohesion/back-office/plans.ts';
import { produceReport } from '../../gateway/api/cohesion/back-office/reports.ts';
import { draft, type Move, moves } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { notFound } from '../../gateway/base/errors.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { type Cause, noRecord, numberOn } from './cause.ts';

/** The change that causes each event. */
export const cohesionCauses: Readonly<Record<string, Cause<'cohesion'>>> = {
  'intervention.validated': moving('validate', 'validated', (change, id) => validateIntervention(change, { id })),
  'intervention.terminated': moving('terminate', 'terminated', (change, id) =>
    moveIntervention(change, { id, move: 'terminate' }),
  ),
  'intervention.suspended': moving('suspend', 'suspended', (change, id) => moveIntervention(change, { id, move: 'suspend' })),
  async 'indicator.alert'(change, on) {
    const { id, code, cible_annuelle, alert_state } = await indicatorFor(change, on);
    const valeur_courante = alert_state === 'under' ? cible_annuelle * 2 : 0;
    await setIndicatorValue(change, { id, valeur_courante });
    return `The value of indicator ${id} (${code}) was set to ${valeur_courante}.`;
  },
  async 'plan.closed'(change, on) {
    const annee = on === undefined ? await openYear(change) : numberOn(on, 'the year of a plan');
    await closePlan(change, { annee });
    return `The plan of ${annee} was closed.`;
  },
  async 'rapport.ready'(change, on) {
    const annee = on === undefined ? new Date(change.now).getUTCFullYear() : numberOn(on, 'a year');
    const { id } = await produceReport(change, { annee });
    return `Report ${id} of ${annee} was produced.`;
  },
};

type Moving = (change: Change, id: number) => Promise<Row<'interventions'>>;

function moving(move: Move, done: string, verb: Moving): Cause<'cohesion'> {
  const from = moves[move].from.filter((status) => status !== draft);
  return async (change, on) => {
    const where = { statut: { in: from } };
    const [fitting] = on === undefined ? await change.tx.list('interventions', { where, order: [['id', 'asc']], limit: 1 }) : [];
    if (on === undefined && !fitting) throw noRecord(`No intervention is ${from.join(' or ')}, so none can be ${done}.`);
    const { id, reference } = await verb(change, fitting?.id ?? numberOn(on ?? '', 'the id of an intervention'));
    return `Intervention ${id} (${reference}) was ${done}.`;
  };
}

/** An indicator with a target of 0 is never in alert. One that is not in alert yet comes first. */
async function indicatorFor({ tx }: Change, on: string | undefined): Promise<Row<'indicators'>> {
  if (on !== undefined) {
    const id = numberOn(on, 'the id of an indicator');
    const named = await tx.get('indicators', { id });
    if (!named) throw notFound('on', `There is no indicator ${id}.`);
    if (named.cible_annuelle === 0) throw noRecord(`The target of indicator ${id} is 0, so it is never in alert.`);
    return named;
  }
  const active = await tx.list('indicators', { where: { active: true }, order: [['id', 'asc']] });
  const able = active.filter(({ cible_annuelle }) => cible_annuelle !== 0);
  const fitting = able.find(({ alert_state }) => alert_state === 'none') ?? able[0];
  if (fitting) return fitting;
  throw noRecord('No active indicator has a target, so none can be in alert.');
}

async function openYear({ tx }: Change): Promise<number> {
  const [plan] = await tx.list('plans', { where: { statut: 'open' }, order: [['annee', 'asc']], limit: 1 });
  if (plan) return plan.annee;
  throw noRecord('No plan is open, so none can be closed.');
}
