import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { type Draw, describeResults, type MutantResult, type MutationReport, notDrawn, wasDrawn } from './report.ts';

/** A mutant, as Stryker gives it to a checker. */
interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
}

/** Tells whether a mutant is in the sample: a number made of its place and its text is below the share. */
function isDrawn({ share, seed }: Draw, { fileName, mutatorName, replacement, location }: Mutant): boolean {
  const { line, column } = location.start;
  const name = JSON.stringify([seed, relative('.', fileName), line, column, mutatorName, replacement]);
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32 < share / 100;
}

function createChecker({ draw }: { draw: Draw }) {
  const resultOf = (mutant: Mutant) =>
    isDrawn(draw, mutant) ? { status: 'passed' } : { status: 'compileError', reason: notDrawn };
  return {
    init: async () => undefined,
    check: async (mutants: readonly Mutant[]) => Object.fromEntries(mutants.map((mutant) => [mutant.id, resultOf(mutant)])),
    // All at once: a message for each of thousands of mutants takes minutes.
    group: async (mutants: readonly Mutant[]) => [mutants.map(({ id }) => id)],
  };
}
createChecker.inject = ['options'] as const;

/** Prints what no test noticed as it is found, so that an interrupted run was not in vain, and the shares at the end. */
function createReporter({ draw }: { draw: Draw }) {
  const print = (text: string) => process.stdout.write(`${text}\n`);
  let tested = 0;
  return {
    onMutantTested(mutant: MutantResult & { fileName: string }) {
      if (!wasDrawn(mutant)) return;
      tested += 1;
      print(
        `${tested} ${mutant.status} ${relative('.', mutant.fileName)}:${mutant.location.start.line} ${mutant.mutatorName} ${mutant.replacement}`,
      );
    },
    onMutationTestReportReady: (report: MutationReport) => print(describeResults(report, draw)),
  };
}
createReporter.inject = ['options'] as const;

/** Plugins for Stryker, which can ignore a piece of code with all that is in it, but draws no sample of mutants. */
export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', factory: createChecker },
  { kind: 'Reporter', name: 'sample', factory: createReporter },
];
