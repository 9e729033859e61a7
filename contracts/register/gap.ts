import type { ServiceName } from '../documents/services.ts';
import { notPlayed } from './not-played.ts';

/**
 * Who settles an alternative. `client`: code that follows the two documents can be written so that it works under the alternative and
 * under the choice, such as by accepting every 2xx. `owner`: nobody can write such code before the service's owner has answered the
 * gap's question, such as for another header or another name of a field.
 */
export type SettledBy = 'client' | 'owner';

/** Another possible meaning of what a document leaves open. */
export interface GapAlternative {
  /** Short, unique within its gap: `pos.sale-status=200`. It never changes, as the gap's id. */
  id: string;
  settledBy: SettledBy;
  text: string;
}

/**
 * One question that a document leaves open, and the choice. Code that depends on the choice names it: `gap pos.currency`
 * in a comment, `'x-gap': ['pos.currency']` on a schema or route, `gaps: ['pos.currency']` on an event.
 */
export interface Gap {
  /** `pos.` or `cohesion.`, then words with hyphens. It never changes: code, documents and partners refer to it. */
  id: string;
  api: ServiceName;
  /** The document's section, by its number and heading. */
  section: string;
  /** The document's own words, which say *not shown*; empty if it says nothing at all. */
  quote: string;
  question: string;
  choice: string;
  why: string;
  /** Other possible meanings. Partners should be ready for them until the choice is confirmed. */
  alternatives: readonly GapAlternative[];
  status: 'assumed' | 'confirmed' | 'refuted';
}

/** A gap as programs get it: `alternatives` are texts, as before they had ids. */
export const viewGap = (gap: Gap) => ({
  ...gap,
  alternatives: gap.alternatives.map(({ text }) => text),
  named_alternatives: gap.alternatives.map(({ settledBy, ...one }) => {
    const reason = notPlayed[`${gap.id}=${one.id}`];
    const played = reason === undefined;
    return { ...one, settled_by: settledBy, played, ...(!played && { not_played_because: reason }) };
  }),
});

/** The entries of one section of one document. */
export function section(api: ServiceName, heading: string, entries: readonly Omit<Gap, 'api' | 'section'>[]): Gap[] {
  return entries.map((entry) => ({ api, section: heading, ...entry }));
}
