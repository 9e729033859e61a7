import type { Reporter } from 'vitest/node';

const reasonIn = /\(skipped: (.+?)\)/;

/** Says at the end of a run why tests were skipped. Their titles have the reason. */
export const tellSkipped: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const reasons = Map.groupBy(skipped, ({ fullName }) => reasonIn.exec(fullName)?.[1]);
    reasons.delete(undefined);
    for (const [reason, tests] of reasons) process.stdout.write(`Tests skipped: ${tests.length} (${reason})\n`);
  },
};
