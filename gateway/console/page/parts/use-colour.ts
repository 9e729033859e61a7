/** The colour for the used share of a limit, from 0 to 1. */
export const colourOfUse = (share: number) => (share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : 'teal');
