/** Codes of refusals that only an alternative makes. */
export const codesOfPolicies: readonly string[] = [
  ...['catalogue_price', 'sale_failed', 'whole_total'],
  ...['repeated', 'legal_move', 'closed_year', 'open_year', 'year_to_come'],
];
