import { expect, test } from 'vitest';
import { failedTestsIn, lastLinesOf } from '../../contracts/tools/probe/tests.ts';

test('TAP names the innermost failures, and neither skipped nor expected ones', () => {
  const tap = `TAP version 13
# Subtest: till
    not ok 1 - sells \\#1 for cash
    ok 2 - fine
not ok 1 - till
ok 2 - not ok is only its name
not ok 3 - known # TODO later
not ok 4 - left out # SKIP no network
not ok 5
not ok 6 - alone # time=12ms`;
  expect(failedTestsIn(tap)).toEqual(['sells #1 for cash', 'alone # time=12ms']);
});

test.each([
  ['pytest', 'FAILED tests/test_till.py::test_sale - AssertionError: 200', 'tests/test_till.py::test_sale'],
  ['unittest', 'FAIL: test_sale (test_till.Till.test_sale)', 'test_sale'],
  ['Vitest', ' FAIL  till.test.ts > sells > for cash', 'till.test.ts > sells > for cash'],
  ['Jest', '  ● till › sells for cash', 'till › sells for cash'],
  ['PHPUnit', '1) TillTest::testSale', 'TillTest::testSale'],
  ['Go', '--- FAIL: TestSale (0.00s)', 'TestSale'],
  ['node --test', '\u001b[31m✖ sells for cash \u001b[90m(1.2ms)\u001b[39m\u001b[39m', 'sells for cash'],
])('the lines of %s name failed tests', (_, line, name) => {
  expect(failedTestsIn(`begin\n${line}\nend`)).toEqual([name]);
});

test('of other output the last lines are kept, without colours and control characters', () => {
  const output = `${'old\n'.repeat(50)}\u001b[31mred\u001b[0m\u0007\n\n last \r\n`;
  const lines = lastLinesOf(output);
  expect(lines).toHaveLength(15);
  expect(lines.slice(-2)).toEqual(['red\\u{7}', ' last']);
  expect([lastLinesOf(''), failedTestsIn('')]).toEqual([[], []]);
});
