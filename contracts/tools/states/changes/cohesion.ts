import { setIndicatorValue } from '../../../../gateway/api/cohesion/back-office/indicators.ts';
import { moveIntervention, validateIntervention } from '../../../../gateway/api/cohesion/back-office/interventions.ts';
import { closePlan } from '../../../../gateway/api/cohesion/back-office/plans.ts';
import { produceReport } from '../../../../gateway/api/cohesion/back-office/reports.ts';
import { moves } from '../../../../gateway/api/cohesion/domain/intervention-moves.ts';
import { notFound } from '../../../../gateway/base/errors.ts';
import type { Row } from '../../../../gateway/store/tables/index.ts';
import type { Change } from '../../../../gateway/webhooks/outbox/change.ts';
import { type EventChange, noRecord, numberOn } from './change.ts';

/** The change that causes each event. */
export const cohesionChanges: Readonly<Record<string, EventChange>> = {
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

function moving(move: keyof typeof done): EventChange {
  return async (change, on) => {
    const id = on === undefined ? await idToMove(change, move) : numberOn(on, 'the id of an intervention');
    const { reference } = await (move === 'validate'
      ? validateIntervention(change, { id })
      : moveIntervention(change, { id, move }));
    return `Intervention ${id} (${reference}) was ${done[move]}.`;
  };
}

/** Returns the first intervention that can make the move. */
async function idToMove({ tx }: Change, move: keyof typeof done): Promise<number> {
  const { from } = moves[move];
  const [able] = await tx.list('interventions', { where: { statut: { in: from } }, order: [['id', 'asc']], limit: 1 });
  if (able) return able.id;
  const named = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(from);
  throw noRecord(`No intervention is ${named}, so none can be ${done[move]}.`);
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
