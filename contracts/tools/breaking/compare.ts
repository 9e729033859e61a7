import { CouldNotRun } from '../could-not-run.ts';
import { type Accepted, accept } from './accepted.ts';
import { findChanges } from './documents.ts';
import type { ReadDocument } from './read.ts';
import type { Compared } from './report.ts';
import { CannotJudge } from './rules.ts';

/** Compares two documents. `today` (YYYY-MM-DD) decides which entries of `accepted` count. Throws `CouldNotRun`. */
export function compareDocuments(
  old: ReadDocument,
  now: ReadDocument,
  { accepted = [], failOn = 'breaking', today }: { accepted?: readonly Accepted[]; failOn?: Compared['failOn']; today: string },
): Compared {
  const { judged, unneeded } = accept(changesOf(old, now), accepted, today);
  const notes = old.address === now.address ? ['OLD and NEW are the same document.'] : [];
  return { old: old.name, new: now.name, changes: judged, unneeded, failOn, notes };
}

function changesOf(old: ReadDocument, now: ReadDocument) {
  try {
    return findChanges(old, now);
  } catch (error) {
    // A document that is not as OpenAPI requires can fail anywhere. Such a failure is not a verdict, and must not look like one.
    const why = error instanceof CannotJudge ? error.message : `A part is not as OpenAPI requires (${(error as Error).message}).`;
    throw new CouldNotRun(`${old.name} and ${now.name} could not be compared. ${why}`);
  }
}
