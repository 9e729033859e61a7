import { rm } from 'node:fs/promises';
import { runProcess } from './process.ts';
import type { Runner } from './runs.ts';
import { lastLinesOf, testsOf } from './tests.ts';

/** Stands for the place of a run among those at the same time, in the command's words and in the path of its JUnit file. */
const runPlace = '{run}';

/** True if runs at the same time write different files. */
export const isApart = (text: string): boolean => text.includes(runPlace);

/** A command that passes if it exits with 0. `junitFile`: the report that it writes. */
export function commandRunner(words: readonly string[], junitFile: string | undefined): Runner {
  return {
    name: words.join(' '),
    async run({ env, slot, timeoutMs, signal }) {
      const at = (text: string) => text.replaceAll(runPlace, String(slot));
      const file = junitFile === undefined ? undefined : at(junitFile);
      // A file of an earlier run would be taken for that of this one.
      if (file !== undefined) await rm(file, { force: true });
      const ended = await runProcess(words.map(at), { env: { ...process.env, ...env }, timeoutMs, signal });
      const { code, signal: by, timedOut, output, durationMs } = ended;
      const passed = code === 0 && !timedOut;
      const reason = timedOut
        ? `stopped after ${(durationMs / 1000).toFixed(1)} s`
        : code === null
          ? `ended by ${by}`
          : `exit code ${code}`;
      const { failed, passed: passedTests } = await testsOf(output, file);
      return {
        ...{ passed, reason, timedOut, durationMs, passedTests },
        failedTests: passed ? [] : failed,
        lastLines: passed ? [] : lastLinesOf(output),
      };
    },
  };
}
