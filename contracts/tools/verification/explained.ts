import { advised, isCausedElsewhere } from './advice.ts';
import { explain, isOtherOutcome, type Subject } from './explain.ts';
import type { Problem } from './result.ts';

/**
 * Adds explanations to the problems of an interaction. If the status is wrong, only the status is explained: the other problems
 * follow from it.
 */
export function explained(subject: Subject, problems: readonly Problem[]): Problem[] {
  const follow = problems.some(isOtherOutcome);
  return problems.map((problem) => {
    if (follow && problem.kind !== 'status') return problem;
    const { gap, ...line } = explain(subject, problem);
    if (subject.kind !== 'http') return { ...problem, ...line, ...(gap && { gap }) };
    const isOpen = gap && !isCausedElsewhere(subject, problem);
    return { ...advised(subject, problem), ...line, ...(isOpen && { gap }) };
  });
}
