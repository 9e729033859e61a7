import { element, junitFile, seconds, suiteElement, xmlText } from '../../contracts/tools/verification/reports/junit.ts';
import type { ProbeReport } from '../types.ts';
import { alternativeLines, failureLines, passedUnder, standingText, titleOf, unaccepted } from './parts.ts';

/** Formats a probe as JUnit XML: a test case for each alternative. What was accepted, is a question or not exercised is skipped. */
export function junitReport(report: ProbeReport): string {
  const blamed = new Map(report.dependencies.flatMap((one) => one.alternatives.map(({ id }) => [id, one] as const)));
  const passed = new Set(passedUnder(report).map(({ id }) => id));
  const cases = [...report.exercised, ...report.notExercised].map(({ id, gap, text }) => {
    const dependency = blamed.get(id);
    const isExercised = report.exercised.some((one) => one.id === id);
    const attributes = { name: `${id}: ${text}`, classname: gap };
    const skipped = (message: string) => element('testcase', attributes, [element('skipped', { message })]);
    if (!isExercised) return skipped('not exercised');
    if (passed.has(id)) return element('testcase', attributes);
    if (dependency === undefined) return skipped(questionText(report, gap));
    if (dependency.standing === 'accepted') return skipped(standingText(dependency));
    const known = dependency.alternatives.flatMap(alternativeLines).map(([label, line]) => `${label}: ${line}`);
    const content = [...known, 'fails:', ...failureLines(dependency)].map(xmlText).join('\n');
    const message = `tests fail under ${titleOf(dependency)} (${standingText(dependency)})`;
    return element('testcase', attributes, [element('failure', { message, type: 'dependency' }, [`\n${content}\n`])]);
  });
  const suite = {
    name: `passerelle probe ${report.apis.join(' ')}`,
    tests: cases.length,
    failures: unaccepted(report.dependencies).flatMap(({ alternatives }) => alternatives).length,
    errors: 0,
    skipped: cases.filter((one) => one.includes('<skipped')).length,
    time: seconds(report.durationMs),
  };
  return junitFile({ ...suite, name: 'passerelle probe' }, [suiteElement(suite, cases)]);
}

function questionText({ questions }: ProbeReport, gap: string): string {
  const own = questions.filter(({ alternatives }) => alternatives.some((one) => one.gap === gap));
  const [{ question = '' } = {}] = own.flatMap(({ alternatives }) => alternatives.filter((one) => one.gap === gap));
  return `question for the service's owner: ${question} Depends on it: ${own.flatMap(failureLines).join(', ')}`;
}
