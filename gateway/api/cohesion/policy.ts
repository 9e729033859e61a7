import type { FastifyRequest } from 'fastify';
import type { Rows, Where } from '../../store/port.ts';
import type { FinancingStatus, InterventionStatus } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { moves, shownStatuses } from './domain/intervention-moves.ts';
import { defaultCurrency } from './schemas.ts';

/** What the API does where its document is silent. A stub may do something else. */
export type CohesionPolicy = Readonly<typeof registeredPolicy>;

/** The statuses of interventions that are no drafts. */
export interface InterventionStatuses {
  shown(row: Row<'interventions'>): string;
  /**
   * Returns which interventions have a status. `keeps`: false for rows with one of these stored statuses that are shown with
   * another status.
   */
  having(shown: string): { stored: readonly InterventionStatus[]; keeps?: (row: Row<'interventions'>) => boolean };
  count(rows: Rows, where: Where<'interventions'>): Promise<{ statut: string; count: number }[]>;
}

const storedStatuses: InterventionStatuses = {
  shown: ({ statut }) => statut,
  having: (shown) => ({ stored: shownStatuses.filter((status) => status === shown) }),
  count: (rows, where) => rows.summarize('interventions', { where, by: ['statut'] }),
};

/** The choices of the gap register, which a gateway has. */
export const registeredPolicy = {
  /** The order of lists (gap cohesion.list-order). `by-name`: by code, name or reference. */
  listOrder: 'by-id' as 'by-id' | 'newest-first' | 'by-name',
  /** What the perimeter of a token limits (gap cohesion.perimeter). */
  perimeterLimits: 'writes' as 'writes' | 'reads-and-writes',
  /** Returns false for an active indicator that lists and statistics leave out (gap cohesion.indicator-without-value). Undefined: none. */
  listsIndicator: undefined as ((row: Row<'indicators'>) => boolean) | undefined,
  /** The statuses with which interventions are shown (gap cohesion.intervention-statuses). */
  interventionStatuses: storedStatuses,
  /** An intervention can be validated if it has one of these statuses (gap cohesion.validation-source). */
  validatedFrom: moves.validate.from as readonly InterventionStatus[],
  /** An intervention can be terminated if it has one of these statuses (gap cohesion.intervention-transitions). */
  terminatedFrom: moves.terminate.from as readonly InterventionStatus[],
  /** Returns the year of statistics for which no year is asked (gap cohesion.current-year). `now`: milliseconds since 1970. */
  currentYear: (now: number) => new Date(now).getUTCFullYear(),
  /** Returns a text that is the same for writes that are counted together (gap cohesion.write-throttle-scope). */
  writesCountedBy: ({ caller, ip }: FastifyRequest) => caller?.id ?? ip,
  /** Throws a refusal of a year that lists and statistics do not take (gap cohesion.annee-values). `now`: milliseconds since 1970. */
  checkYear(_annee: number, _about: { rows: Rows; now: number; isOfStatistics: boolean }): Promise<void> | void {},
  /** What becomes of a POST that was sent before (gap cohesion.repeated-post). */
  repeatedPost: 'stored' as 'stored' | 'refused',
  /** Whether an update changes the fields that are sent, or the financing as a whole (gap cohesion.financing-update-required). */
  updates: 'changes' as 'changes' | 'replaces',
  /** The currency of a financing that is replaced without one (gap cohesion.devise-sent). */
  currency: defaultCurrency as string,
  /** Returns true if a financing may get another statut (gap cohesion.financing-moves). */
  mayBecome: (_before: FinancingStatus, _after: FinancingStatus): boolean => true,
  /** Whether financings of a year with a closed plan may be written (gap cohesion.plan-closed-condition). */
  closedYears: 'written' as 'written' | 'refused',
  /** Which years a financing may be of (gap cohesion.financing-bounds): any, or the current one and those with an open plan. */
  financedYears: 'any' as 'any' | 'open',
  /** Returns the abilities that a token has (gap cohesion.user-roles). */
  abilitiesOf: ({ abilities }: Row<'tokens'>, _user: Row<'users'>) => abilities,
};
