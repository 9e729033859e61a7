import type { ServiceName } from '../documents/services.ts';

/**
 * One thing that a document leaves open, and what was chosen. Code that acts on the choice names it: `gap pos.currency`
 * in a comment, `'x-gap': ['pos.currency']` on a schema or route, `gaps: ['pos.currency']` on an event.
 */
export interface Gap {
  /** `pos.` or `cohesion.`, then words with hyphens. It never changes: code, documents and partners refer to it. */
  id: string;
  api: ServiceName;
  /** The document's section, by its number and heading. */
  section: string;
  /** The document's own words, which say *not shown*; empty where it says nothing at all. */
  quote: string;
  question: string;
  choice: string;
  why: string;
  /** What else could be meant: what a partner should be ready for until the choice is confirmed. */
  alternatives: readonly string[];
  status: 'assumed' | 'confirmed' | 'refuted';
}

/** The entries of one section of one document. */
export function section(api: ServiceName, heading: string, entries: readonly Omit<Gap, 'api' | 'section'>[]): Gap[] {
  return entries.map((entry) => ({ api, section: heading, ...entry }));
}
