import type { Around, Kept } from './types.ts';

/** The statuses of interventions under the active alternatives. The store keeps the reference's. */

/** Some interventions of a status have another one, which depends on their ids. */
interface OwnStatus {
  statut: string;
  /** The reference's status. */
  of: string;
  isOwn(id: number): boolean;
}

export const furtherStatuses: readonly OwnStatus[] = [
  { statut: 'planifie', of: 'en_cours', isOwn: (id) => id % 6 === 0 },
  { statut: 'soumis', of: 'en_cours', isOwn: (id) => id % 6 === 1 },
  { statut: 'rejete', of: 'termine', isOwn: (id) => id % 6 === 2 },
  { statut: 'annule', of: 'suspendu', isOwn: (id) => id % 3 === 0 },
];

/** The statuses that a service has beside the reference's. */
export const ownStatusesIn = (alternativeOf: Around['alternativeOf']): readonly OwnStatus[] =>
  alternativeOf('cohesion.intervention-statuses') === 'further' ? furtherStatuses : [];

/** Returns the status of an intervention as the service shows it. */
export const ownStatus = (own: readonly OwnStatus[], { id, statut }: Kept): unknown =>
  own.find((one) => one.of === statut && one.isOwn(Number(id)))?.statut ?? statut;
