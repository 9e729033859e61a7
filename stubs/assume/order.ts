import type { ActiveAlternative } from './chosen.ts';

/**
 * The order in which alternatives are applied, whatever the order in which they were given: first where a token is, then what a
 * reply is about and says, the units and forms of its values, the names and shapes it says it in, statuses, what is around it, and at last the bodies of errors. An alternative
 * finds what the reference sent, except for those before it.
 */
const stages: readonly ((gap: string, alternative: string) => boolean)[] = [
  (gap) => gap === 'pos.token-transport',
  (gap, alternative) => gap === 'pos.report-response' && alternative === 'single-sales',
  (gap) => gap === 'pos.store-id-required',
  (gap, alternative) => !later.some((isIn) => isIn(gap, alternative)),
  (gap) => /\.(currency|timestamps)$/.test(gap),
  (gap) => /-(response|fields|payload|detail)$/.test(gap) && gap !== 'cohesion.financing-update-response',
  (gap) => /-(conditions|exceeded|method|json|header)$|transport-statuses$/.test(gap),
  (gap) => /-(envelope|signing|status|standard-headers|secret)$/.test(gap) || gap === 'cohesion.financing-update-response',
  (gap) => /\.error-body$/.test(gap),
];
const later = stages.slice(4);

const stageOf = ({ gap, alternative }: ActiveAlternative) => stages.findIndex((isIn) => isIn(gap, alternative));

export const inOrder = (list: readonly ActiveAlternative[]): ActiveAlternative[] =>
  list.toSorted((one, other) => stageOf(one) - stageOf(other) || (one.gap < other.gap ? -1 : 1));
