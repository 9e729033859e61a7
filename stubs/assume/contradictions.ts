/** Two alternatives that no service can have at once. Of all others, a test shows that together they contradict nothing. */
export interface Contradiction {
  one: string;
  other: string;
  because: string;
}

export const contradictions: readonly Contradiction[] = [
  {
    one: 'pos.success-envelope=beside-success',
    other: 'pos.inventory-response=bare-array',
    because: 'an array has no fields to stand beside success.',
  },
  {
    one: 'pos.success-envelope=beside-success',
    other: 'pos.report-response=single-sales',
    because: 'an array has no fields to stand beside success.',
  },
  {
    one: 'cohesion.financing-update-status=204',
    other: 'cohesion.financing-update-response=changed-only',
    because: 'a 204 has no body.',
  },
  {
    one: 'pos.sale-response=reference-only',
    other: 'pos.payment-reference=sale-id',
    because: 'a client would never learn the id that a payment needs.',
  },
  {
    one: 'pos.sale-response=reference-only',
    other: 'pos.payment-reference=made-by-client',
    because: 'the service gives a sale no reference.',
  },
];
