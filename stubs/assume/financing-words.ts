import { financingStatuses } from '../../gateway/store/tables/cohesion.ts';

/** Values of a field of financings that a service takes. */
export interface FinancingWords {
  field: 'type' | 'statut';
  takes(value: string): boolean;
  /** What refusals say of another value. */
  known: string;
}

const oneOf = (field: FinancingWords['field'], words: readonly string[]): FinancingWords => ({
  field,
  takes: (value) => words.includes(value),
  known: `must be one of ${words.join(', ')}`,
});

/** The service's own words under alternatives, as `GAP=ALTERNATIVE`. */
export const financingWords: Readonly<Record<string, FinancingWords>> = {
  'cohesion.financing-types=any-text': {
    field: 'type',
    takes: (value) => value.trim() !== '' && value.length <= 200,
    known: 'must be a text of 1 to 200 characters',
  },
  'cohesion.financing-types=kinds': oneOf('type', ['bailleur', 'don', 'pret', 'subvention']),
  'cohesion.financing-statuses=further': oneOf('statut', [...financingStatuses, 'en_cours', 'cloture']),
};
