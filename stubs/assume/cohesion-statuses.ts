import type { Around, Kept } from './types.ts';

/** The statuses of interventions under the active alternatives. The store keeps the reference's. */

/** Some interventions of a status have another one, which depends on their ids. */
export interface OwnStatus {
  statut: string;
  /** The reference's status. */
  of: string;
  isOwn(id: number): boolean;
}

const submitted: OwnStatus = { statut: 'soumis', of: 'en_cours', isOwn: (id) => id % 6 === 1 };
export const furtherStatuses: readonly OwnStatus[] = [
  { statut: 'planifie', of: 'en_cours', isOwn: (id) => id % 6 === 0 },
  submitted,
  { statut: 'rejete', of: 'termine', isOwn: (id) => id % 6 === 2 },
  { statut: 'annule', of: 'suspendu', isOwn: (id) => id % 3 === 0 },
];

export const submittedOnly: readonly OwnStatus[] = [submitted];
const none: readonly OwnStatus[] = [];

/** The statuses that a service has beside the reference's. */
export function ownStatusesIn(alternativeOf: Around['alternativeOf']): readonly OwnStatus[] {
  if (alternativeOf('cohesion.intervention-statuses') === 'further') return furtherStatuses;
  return alternativeOf('cohesion.validation-source') === 'own-state' ? submittedOnly : none;
}

/** Returns the status of an intervention as the service shows it. */
export const ownStatus = (own: readonly OwnStatus[], { id, statut }: Kept): unknown =>
  own.find((one) => one.of === statut && one.isOwn(Number(id)))?.statut ?? statut;

export const isSubmitted = (row: Kept): boolean => ownStatus(submittedOnly, row) === submitted.statut;
