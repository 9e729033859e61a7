import type { Reporter, TestCase } from 'vitest/node';

const reasonIn = /\(skipped: (.+?)\)/;

/** Says at the end of a run why tests were skipped: their titles have the reason, or `skip` was called with it. */
export const tellSkipped: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const reasons = Map.groupBy(skipped, readReason);
    for (const [reason, tests] of reasons)
      process.stdout.write(`Tests skipped: ${tests.length} (${reason})
`);
  },
};

function readReason(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return reasonIn.exec(test.fullName)?.[1] ?? note ?? `no reason is given: ${test.fullName}`;
}
