import { setIndicatorValue } from '../../gateway/api/cohesion/back-office/indicators.ts';
import { moveIntervention, validateIntervention } from '../../gateway/api/cohesion/back-office/interventions.ts';
import { closePlan } from '../../gateway/api/cohesion/back-office/plans.ts';
import { produceReport } from '../../gateway/api/cohesion/back-office/reports.ts';
import { draft, legalMoves, type Move, moves } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { illegalMove, notFound } from '../../gateway/base/errors.ts';
import type { InterventionStatus } from '../../gateway/store/tables/cohesion.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { type AlternativeOf, type Cause, noRecord, numberOn } from './cause.ts';

/** The change that causes each event. */
export const cohesionCauses: Readonly<Record<string, Cause<'cohesion'>>> = {
  'intervention.validated': moving('validate', 'validated', (change, id) => validateIntervention(change, { id })),
  'intervention.terminated': moving('terminate', 'terminated', (change, id, from) =>
    moveIntervention(change, { id, move: 'terminate', from }),
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

type Moving = (change: Change, id: number, from: readonly string[]) => Promise<Row<'interventions'>>;

/** The interventions that a move starts from. */
interface Source {
  from: readonly InterventionStatus[];
  /** Such as `en_cours or termine`. */
  named: string;
  /** True if the verb refuses every other state itself. */
  isReference?: boolean;
}

/** Other sources of moves, by the alternatives of their gaps. */
const otherSources: Readonly<Partial<Record<Move, { gap: string; sources: Readonly<Record<string, Source>> }>>> = {
  validate: {
    gap: 'cohesion.validation-source',
    sources: {
      'termine-only': { from: ['termine'], named: 'termine' },
    },
  },
  // One that is approved already comes first, because no other choice allows that.
  terminate: {
    gap: 'cohesion.intervention-transitions',
    sources: { 'terminate-approuve': { from: ['approuve', 'en_cours', 'suspendu'], named: 'approuve, en_cours or suspendu' } },
  },
};

function sourceOf(move: Move, alternativeOf: AlternativeOf): Source {
  const from = moves[move].from.filter((status) => status !== draft);
  const { gap = '', sources = {} } = otherSources[move] ?? {};
  return sources[alternativeOf(gap) ?? ''] ?? { from, named: from.join(' or '), isReference: true };
}

function moving(move: Move, done: string, verb: Moving): Cause<'cohesion'> {
  return async (change, on, { alternativeOf }) => {
    const source = sourceOf(move, alternativeOf);
    const id = on === undefined ? await fitting(change, source, done) : numberOn(on, 'the id of an intervention');
    if (!source.isReference) await refuseOther(change, id, source, done);
    const { reference } = await verb(change, id, source.from);
    return `Intervention ${id} (${reference}) was ${done}.`;
  };
}

/** Returns the first intervention. Under an alternative, those of the first state go before all others. */
async function fitting({ tx }: Change, { from, named, isReference }: Source, done: string): Promise<number> {
  const able = await tx.list('interventions', { where: { statut: { in: from } }, order: [['id', 'asc']] });
  const isFirst = ({ statut }: Row<'interventions'>) => !isReference && statut === from[0];
  const found = able.find(isFirst) ?? able[0];
  if (found) return found.id;
  throw noRecord(`No intervention is ${named}, so none can be ${done}.`);
}

/** The verb names the moves of the reference, which are others. */
async function refuseOther({ tx }: Change, id: number, { from, named }: Source, done: string): Promise<void> {
  const row = await tx.get('interventions', { id });
  if (row === undefined || from.includes(row.statut)) return;
  throw illegalMove(`Intervention ${row.reference} is not ${named}, so it cannot be ${done}.`, legalMoves(row.statut));
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
