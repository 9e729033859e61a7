import type { ServiceName } from '../documents/services.ts';
import { notPlayed } from './not-played.ts';

/** Another possible meaning of what a document leaves open. */
export interface GapAlternative {
  /** Short, unique within its gap: `pos.sale-status=200`. It never changes, as the gap's id. */
  id: string;
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
  named_alternatives: gap.alternatives.map((one) => {
    const reason = notPlayed[`${gap.id}=${one.id}`];
    return { ...one, played: reason === undefined, ...(reason !== undefined && { not_played_because: reason }) };
  }),
});

/** The entries of one section of one document. */
export function section(api: ServiceName, heading: string, entries: readonly Omit<Gap, 'api' | 'section'>[]): Gap[] {
  return entries.map((entry) => ({ api, section: heading, ...entry }));
}
