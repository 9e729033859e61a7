import { moves, shownStatuses } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import type { CohesionCaller } from '../../gateway/api/cohesion/identity.ts';
import type { CohesionPolicy, InterventionStatuses } from '../../gateway/api/cohesion/policy.ts';
import { invalid, notFound } from '../../gateway/base/errors.ts';
import type { Caller } from '../../gateway/http/api.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { AlternativeName } from '../../spec/gaps/gaps.ts';

const hourMs = 3_600_000;
const userOf = (caller: Caller | null) => (caller as CohesionCaller | null)?.user;

const forward: readonly string[] = ['promis', 'obtenu', 'decaisse'];

async function isKnownYear(annee: number, rows: Rows): Promise<boolean> {
  const [intervention] = await rows.list('interventions', { where: { annee }, limit: 1 });
  const [financing] = await rows.list('financings', { where: { exercice: annee }, limit: 1 });
  return intervention !== undefined || financing !== undefined;
}

/** What the verbs of cohesion do under alternatives. */
export const cohesionPolicies: Readonly<Partial<Record<AlternativeName<'cohesion'>, Partial<CohesionPolicy>>>> = {
  'cohesion.validation-source=termine-only': { validatedFrom: ['termine'] },
  'cohesion.intervention-transitions=terminate-approuve': { terminatedFrom: ['approuve', ...moves.terminate.from] },
  'cohesion.annee-values=past-or-current': {
    checkYear(annee, { now }) {
      const year = new Date(now).getUTCFullYear();
      if (annee > year) throw invalid('annee', 'year_to_come', `${annee} is after ${year}, the current year.`);
    },
  },
  'cohesion.annee-values=unknown-404': {
    async checkYear(annee, { rows, isOfStatistics }) {
      if (isOfStatistics && !(await isKnownYear(annee, rows))) throw notFound('annee', `There are no statistics of ${annee}.`);
    },
  },
  'cohesion.financing-update-required=emptied': { updates: 'replaces' },
  'cohesion.devise-sent=other-default': { currency: 'EUR' },
  'cohesion.financing-moves=forward-only': { mayBecome: (before, after) => forward.indexOf(after) >= forward.indexOf(before) },
  'cohesion.financing-moves=annule-final': { mayBecome: (before, after) => before !== 'annule' || after === 'annule' },
  'cohesion.plan-closed-condition=writes-refused': { closedYears: 'refused' },
  'cohesion.financing-bounds=open-year-only': { financedYears: 'open' },
  'cohesion.list-order=newest-first': { listOrder: 'newest-first' },
  'cohesion.list-order=by-name': { listOrder: 'by-name' },
  'cohesion.perimeter=reads-too': { perimeterLimits: 'reads-and-writes' },
  // A target that is missed by a value of 0 is in alert once that value is set.
  'cohesion.indicator-without-value=not-listed': {
    listsIndicator: ({ valeur_courante, alert_state }) => valeur_courante !== 0 || alert_state !== 'none',
  },
  'cohesion.intervention-statuses=further': { interventionStatuses: furtherStatuses() },
  'cohesion.current-year=hour-ahead': { currentYear: (now) => new Date(now + hourMs).getUTCFullYear() },
  'cohesion.write-throttle-scope=per-user': { writesCountedBy: ({ caller, ip }) => `user ${userOf(caller)?.id ?? ip}` },
  'cohesion.write-throttle-scope=per-method': { writesCountedBy: ({ caller, ip, method }) => `${caller?.id ?? ip} ${method}` },
  'cohesion.repeated-post=refused': { repeatedPost: 'refused' },
  'cohesion.user-roles=narrows-abilities': {
    abilitiesOf: ({ abilities }, { role }) =>
      role === 'lecteur' ? abilities.filter((one) => one.startsWith('read:')) : abilities,
  },
};

/** The store keeps the reference's statuses. Some interventions are shown with another one, which depends on their ids. */
function furtherStatuses(): InterventionStatuses {
  const further = [
    { statut: 'planifie', of: 'en_cours', isOwn: (id: number) => id % 6 === 0 },
    { statut: 'soumis', of: 'en_cours', isOwn: (id: number) => id % 6 === 1 },
    { statut: 'rejete', of: 'termine', isOwn: (id: number) => id % 6 === 2 },
    { statut: 'annule', of: 'suspendu', isOwn: (id: number) => id % 3 === 0 },
  ];
  const shown = ({ id, statut }: Row<'interventions'>) =>
    further.find((one) => one.of === statut && one.isOwn(id))?.statut ?? statut;
  return {
    shown,
    having: (wanted) => ({ stored: shownStatuses, keeps: (row) => shown(row) === wanted }),
    async count(rows, where) {
      const groups = Map.groupBy(await rows.list('interventions', { where }), shown);
      const names = [...shownStatuses, ...further.map(({ statut }) => statut)];
      return names.map((statut) => ({ statut, count: groups.get(statut)?.length ?? 0 }));
    },
  };
}
