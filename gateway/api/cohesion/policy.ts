import type { FastifyRequest } from 'fastify';
import type { Rows, Where } from '../../store/port.ts';
import type { Ability, FinancingStatus, InterventionStatus } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { moves, shownStatuses } from './domain/intervention-moves.ts';
import { defaultCurrency } from './schemas.ts';

/** What the API does where its document is silent. A gateway has the choices of the gap register. A stub may have others. */
export interface CohesionPolicy {
  /** The order of lists (gap cohesion.list-order). `by-name`: by code, name or reference. */
  readonly listOrder: 'by-id' | 'newest-first' | 'by-name';
  /** What the perimeter of a token limits (gap cohesion.perimeter). */
  readonly perimeterLimits: 'writes' | 'reads-and-writes';
  /** Returns false for an active indicator that lists and statistics leave out (gap cohesion.indicator-without-value). Undefined: none. */
  readonly listsIndicator: ((row: Row<'indicators'>) => boolean) | undefined;
  /** The statuses with which interventions are shown (gap cohesion.intervention-statuses). */
  readonly interventionStatuses: InterventionStatuses;
  /** The statuses from which an intervention is validated (gap cohesion.validation-source). */
  readonly validatedFrom: readonly InterventionStatus[];
  /** The statuses from which an intervention is terminated (gap cohesion.intervention-transitions). */
  readonly terminatedFrom: readonly InterventionStatus[];
  /** Returns the year of statistics for which no year is asked (gap cohesion.current-year). `now`: milliseconds since 1970. */
  readonly currentYear: (now: number) => number;
  /** Returns a text that is the same for writes that are counted together (gap cohesion.write-throttle-scope). */
  readonly writesCountedBy: (request: FastifyRequest) => string;
  /** Throws a refusal of a year that lists and statistics do not take (gap cohesion.annee-values). `now`: milliseconds since 1970. */
  readonly checkYear: (annee: number, about: { rows: Rows; now: number; isOfStatistics: boolean }) => Promise<void> | void;
  /** What becomes of a POST that was sent before (gap cohesion.repeated-post). */
  readonly repeatedPost: 'stored' | 'refused';
  /** Whether an update changes the fields that are sent, or the financing as a whole (gap cohesion.financing-update-required). */
  readonly updates: 'changes' | 'replaces';
  /** The currency of a financing that is replaced without one (gap cohesion.devise-sent). */
  readonly currency: string;
  /** Returns true if a financing may get another statut (gap cohesion.financing-moves). */
  readonly mayBecome: (before: FinancingStatus, after: FinancingStatus) => boolean;
  /** Whether financings of a year with a closed plan may be written (gap cohesion.plan-closed-condition). */
  readonly closedYears: 'written' | 'refused';
  /** Which years a financing may be of (gap cohesion.financing-bounds): any, or the current one and those with an open plan. */
  readonly financedYears: 'any' | 'open';
  /** Returns the abilities that a token has (gap cohesion.user-roles). */
  readonly abilitiesOf: (token: Row<'tokens'>, user: Row<'users'>) => Ability[];
}

/** The statuses of interventions that are no drafts. */
export interface InterventionStatuses {
  shown(row: Row<'interventions'>): string;
  /** Returns which interventions have a status. `keeps`: false for rows of the stored statuses that have another. */
  having(shown: string): { stored: readonly InterventionStatus[]; keeps?: (row: Row<'interventions'>) => boolean };
  count(rows: Rows, where: Where<'interventions'>): Promise<{ statut: string; count: number }[]>;
}

export const registeredPolicy: CohesionPolicy = {
  listOrder: 'by-id',
  perimeterLimits: 'writes',
  listsIndicator: undefined,
  interventionStatuses: {
    shown: ({ statut }) => statut,
    having: (shown) => ({ stored: shownStatuses.filter((status) => status === shown) }),
    count: (rows, where) => rows.summarize('interventions', { where, by: ['statut'] }),
  },
  validatedFrom: moves.validate.from,
  terminatedFrom: moves.terminate.from,
  currentYear: (now) => new Date(now).getUTCFullYear(),
  writesCountedBy: ({ caller, ip }) => caller?.id ?? ip,
  checkYear: () => {},
  repeatedPost: 'stored',
  updates: 'changes',
  currency: defaultCurrency,
  mayBecome: () => true,
  closedYears: 'written',
  financedYears: 'any',
  abilitiesOf: ({ abilities }) => abilities,
};
