import { illegalMove } from '../../../base/errors.ts';
import { type InterventionStatus, interventionStatuses } from '../../../store/tables/cohesion.ts';

export const draft: InterventionStatus = 'brouillon';
export const shownStatuses = interventionStatuses.filter((status) => status !== draft);

/** All legal moves (gap cohesion.intervention-transitions, gap cohesion.validation-source). */
export const moves = {
  publish: { from: ['brouillon'], to: 'en_cours' },
  suspend: { from: ['en_cours'], to: 'suspendu' },
  resume: { from: ['suspendu'], to: 'en_cours' },
  terminate: { from: ['en_cours', 'suspendu'], to: 'termine' },
  validate: { from: ['en_cours', 'termine'], to: 'approuve' },
} as const satisfies Record<string, { from: readonly InterventionStatus[]; to: InterventionStatus }>;

export type Move = keyof typeof moves;
export const moveNames = Object.keys(moves) as [Move, ...Move[]];

export const legalMoves = (status: string): Move[] =>
  moveNames.filter((name) => (moves[name].from as readonly string[]).includes(status));

/** Returns the state after a move. Throws `illegalMove`, which lists the legal moves. */
export function stateAfter(reference: string, status: string, move: Move): InterventionStatus {
  const legal = legalMoves(status);
  if (legal.includes(move)) return moves[move].to;
  const instead = legal.length > 0 ? `Legal moves: ${legal.join(', ')}.` : 'No move is legal from there.';
  throw illegalMove(`Intervention ${reference} is ${status}, so "${move}" is not legal. ${instead}`, legal);
}
