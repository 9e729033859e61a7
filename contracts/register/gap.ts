import type { ServiceName } from '../documents/services.ts';

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
  alternatives: readonly string[];
  status: 'assumed' | 'confirmed' | 'refuted';
}

/** The entries of one section of one document. */
export function section(api: ServiceName, heading: string, entries: readonly Omit<Gap, 'api' | 'section'>[]): Gap[] {
  return entries.map((entry) => ({ api, section: heading, ...entry }));
}
