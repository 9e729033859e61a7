export interface PactFile {
  interactions: Interaction[];
  metadata: Record<string, unknown>;
}

interface Interaction {
  type: string;
  description: string;
  providerStates?: unknown[];
}

/** Returns the committed form of a pact, which does not depend on the order of tests or the version of Pact. */
export function normalise({ interactions, metadata, ...rest }: PactFile): string {
  const { pactSpecification } = metadata;
  const sorted = [...interactions].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  return `${JSON.stringify(withSortedKeys({ ...rest, interactions: sorted, metadata: { pactSpecification } }), null, 2)}\n`;
}

const placeOf = ({ type, description, providerStates = [] }: Interaction): string =>
  JSON.stringify([type, description, withSortedKeys(providerStates)]);

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}
