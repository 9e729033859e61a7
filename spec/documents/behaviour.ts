import type { ServiceName } from './services.ts';

/**
 * One behaviour that a document promises. An interaction of a pact holds it if its references name it (group `behaviour`) and
 * it turns red without it: `test/contracts/gate.slow.test.ts` takes each behaviour away from the provider.
 */
export interface Behaviour {
  /** `pos/` or `cohesion/`, then words with hyphens. It never changes: pacts refer to it. */
  id: string;
  document: ServiceName;
  /** The document's section, by its number and heading. */
  section: string;
  /** The heading within the section, if the words stand under several. */
  part?: string;
  /** The document's own words: the beginning of one line of the section, or a part of it. */
  says: string;
  /** The operations (`GET /api/v1/me`) and events that show it. */
  on: readonly string[];
  /** The place of a documented field in the reply or message, such as `data.*.code`. */
  field?: string;
  /** The status that shows it, if its words do not say so. */
  status?: number;
}

type Entry = Omit<Behaviour, 'document' | 'section'>;

/** The behaviours of one section of one document. Ids get the document's name. */
export const section = (document: ServiceName, heading: string, entries: readonly Entry[]): Behaviour[] =>
  entries.map((entry) => ({ ...entry, document, section: heading, id: `${document}/${entry.id}` }));
