import type { Ability } from '../../../store/tables/cohesion.ts';

/** The abilities a token can hold (document section 5), each with its description. */
export const abilities = {
  'read:indicators': 'read indicators and their values',
  'read:interventions': 'read interventions, drafts excluded',
  'read:structures': 'read structures',
  'read:stats': 'read aggregated statistics',
  'write:financements': 'create and update external financings',
} as const satisfies Record<Ability, string>;
