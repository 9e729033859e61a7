import type { JsonMessage } from '../../contracts/tools/assumptions/alternative.ts';

/** What the variants have read for an event's body, by their names. */
export type EventFacts = Readonly<Record<string, unknown>>;

/** The place of the facts in a message's metadata. It is there only while a body is made. */
const factsName = 'facts';

/** Returns what the variant's `lookAtEvent` has read; undefined if it has read nothing. */
export const factsOf = ({ metadata }: JsonMessage, assumed: string): unknown =>
  (metadata[factsName] as EventFacts | undefined)?.[assumed];

export const withFacts = (facts: EventFacts | undefined) => (facts ? { [factsName]: facts } : {});
