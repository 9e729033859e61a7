import { stripVTControlCharacters } from 'node:util';
import { plainLines } from '../reports/plain.ts';

const linesKept = 15;
const failuresKept = 200;

export const lastLinesOf = (output: string): string[] =>
  plainLines(stripVTControlCharacters(output))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-linesKept);

/** Lines by which test runners name a failed test. */
const failureLines: readonly RegExp[] = [
  // pytest: FAILED test_till.py::test_sale - AssertionError
  /^(?:FAILED|ERROR) (\S+::\S+)/,
  // Vitest: FAIL  till.test.ts > sells for cash
  /^ ?FAIL {1,2}(.+ > .+?)(?: \d+ms)?$/,
  // Jest: ● till › sells for cash
  /^ +● (.+)$/,
  // PHPUnit: 1) TillTest::testSale
  /^\d+\) (\S+::\S+)/,
  // unittest of Python: FAIL: test_sale (test_till.Till.test_sale)
  /^(?:FAIL|ERROR): (\S+) \(/,
  // Go: --- FAIL: TestSale (0.00s)
  /^ *--- FAIL: (\S+)/,
  // node --test with its default reporter: ✖ sells for cash (1.2ms)
  /^ *✖ (.+?) \([\d.]+ms\)$/,
];

/** The names of the failed tests in the output of a command; empty if it does not tell. */
export function failedTestsIn(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const inTap = failuresInTap(lines);
  const named = (line: string) => failureLines.map((pattern) => pattern.exec(line)?.[1]?.trim()).find(Boolean) ?? [];
  return [...new Set(inTap.length > 0 ? inTap : lines.flatMap(named))].slice(0, failuresKept);
}

/** TAP: `not ok 3 - name`. If failures are nested, only the innermost ones, because the others fail because of these. */
function failuresInTap(lines: readonly string[]): string[] {
  const failed = lines.flatMap((line) => {
    const [, indent = '', name = '', directive] =
      /^( *)not ok\b(?: \d+)?(?: -)? ?(.*?)(?: # (TODO|SKIP)\b.*)?$/i.exec(line) ?? [];
    if (name === '' || directive !== undefined) return [];
    return [{ depth: indent.length, name: name.replaceAll(/\\([#\\])/g, '$1').trim() }];
  });
  // A parent follows its subtests, with less indentation.
  return failed.filter(({ depth }, at) => (failed[at - 1]?.depth ?? 0) <= depth).map(({ name }) => name);
}
