import type { Rule } from './line.ts';

/** A rule that a delivery, or one request of it, breaks. `lines`: the lines of the history that show it, from 1. */
export interface Found {
  rule: Rule;
  event: string;
  endpoint: string | null;
  text: string;
  lines: readonly number[];
}

/**
 * The maximum number of findings of a rule that are kept. All are counted: a history of a million lost events must fit into the
 * memory.
 */
const mostKept = 100;

export class Findings {
  readonly kept: Found[] = [];
  readonly counts = new Map<Rule, number>();

  add(found: Found): void {
    const count = (this.counts.get(found.rule) ?? 0) + 1;
    this.counts.set(found.rule, count);
    if (count <= mostKept) this.kept.push(found);
  }
}
