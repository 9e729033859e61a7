import { errorCommand, spotOfTest } from '../../reports/workflow-command.ts';
import type { Blameworthy, ProbeReport } from '../types.ts';
import { titleOf, unaccepted } from './report.ts';

/**
 * Returns a workflow command of GitHub Actions for each dependency that nobody accepted, beside the first test that fails. `files`: those
 * of tests whose names do not say them.
 */
export function probeAnnotations(found: Pick<ProbeReport, 'dependencies'>, files: ReadonlyMap<string, string>): string[] {
  return unaccepted(found.dependencies).map((one) => {
    const { alternatives, failedTests, reason } = one;
    const message = [...alternatives.map(wordsOf), `Fails: ${failedTests.length > 0 ? failedTests.join(', ') : reason}`];
    const spot = failedTests.map((test) => spotOfTest(test, files.get(test))).find(Boolean);
    return errorCommand(`depends on ${titleOf(one)}`, message.join('\n'), spot);
  });
}

const wordsOf = ({ question, choice, text, advice }: Blameworthy) =>
  `${question}\nOur choice: ${choice}\nAlternative: ${text}\nInstead: ${advice}`;
