import { setIndicatorValue } from '../../gateway/api/cohesion/back-office/indicators.ts';
import { moveIntervention, validateIntervention } from '../../gateway/api/cohesion/back-office/interventions.ts';
import { closePlan } from '../../gateway/api/cohesion/back-office/plans.ts';
import { produceReport } from '../../gateway/api/cohesion/back-office/reports.ts';
import { legalMoves, moves } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { registeredPolicy } from '../../gateway/api/cohesion/policy.ts';
import { illegalMove, notFound } from '../../gateway/base/errors.ts';
import type { InterventionStatus } from '../../gateway/store/tables/cohesion.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { type Cause, noRecord, numberOn } from './cause.ts';

/** The change that causes each event. */
export const cohesionCauses: Readonly<Record<string, Cause<'cohesion'>>> = {
  'intervention.validated': moving('validate'),
  'intervention.terminated': moving('terminate'),
  'intervention.suspended': moving('suspend'),
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

/** The moves that cause an event, in the words of a sentence. */
const done = { validate: 'validated', terminate: 'terminated', suspend: 'suspended' } as const;

function moving(move: keyof typeof done): Cause<'cohesion'> {
  return async (change, on, { policy = registeredPolicy }) => {
    const sources = { validate: policy.validatedFrom, terminate: policy.terminatedFrom, suspend: moves.suspend.from };
    const id = await idToMove(change, on, move, sources[move]);
    const { reference } = await (move === 'validate'
      ? validateIntervention(change, { id })
      : moveIntervention(change, { id, move, from: sources[move] }));
    return `Intervention ${id} (${reference}) was ${done[move]}.`;
  };
}

/** Returns the intervention that `on` names, or the first that can make the move. One that no other choice allows goes before all others. */
async function idToMove(
  { tx }: Change,
  on: string | undefined,
  move: keyof typeof done,
  from: readonly InterventionStatus[],
): Promise<number> {
  const usual: readonly InterventionStatus[] = moves[move].from;
  const named = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(from);
  if (on === undefined) {
    const able = await tx.list('interventions', { where: { statut: { in: from } }, order: [['id', 'asc']] });
    const found = able.find(({ statut }) => !usual.includes(statut)) ?? able[0];
    if (found) return found.id;
    throw noRecord(`No intervention is ${named}, so none can be ${done[move]}.`);
  }
  const id = numberOn(on, 'the id of an intervention');
  const row = await tx.get('interventions', { id });
  // The verb's own message would name the moves of our choice, but another alternative applies here.
  if (row && from !== usual && !from.includes(row.statut))
    throw illegalMove(`Intervention ${row.reference} is not ${named}, so it cannot be ${done[move]}.`, legalMoves(row.statut));
  return id;
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
