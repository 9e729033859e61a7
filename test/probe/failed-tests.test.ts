import { expect, test } from 'vitest';
import { lastLinesOf, testsInJunit, testsInTap, testsOf } from '../../contracts/tools/probe/tests.ts';
import { fileWith } from '../program.ts';

test('a JUnit file names the failed and the broken tests, whatever is in their texts', async () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="till">
    <testcase name="sells for cash" classname="till.test.ts"><failure message="a &lt;b&gt;">at <![CDATA[</testcase><testcase name="no"><failure/>]]></failure></testcase>
    <testcase name='pays &quot;twice&quot; &#233; &#x1F600; &#99999999;' classname="test"><error/></testcase>
    <testcase classname="Till" name="Till::testSale" attr="a > b"><system-out>fine</system-out><failure/></testcase>
    <testcase name="passes" classname="x"/>
    <testcase name="skipped" classname="x"><skipped/></testcase>
    <!-- <testcase name="commented"><failure/></testcase> -->
  </testsuite></testsuites>`;
  const names = ['till.test.ts: sells for cash', 'pays "twice" é 😀 &#99999999;', 'Till::testSale'];
  expect(testsInJunit(xml)).toEqual({ failed: names, passed: ['x: passes'] });
  expect(await testsOf('not ok 1 - from the output', await fileWith(xml))).toEqual({ failed: names, passed: ['x: passes'] });
});

test('without the JUnit file, the output tells', async () => {
  expect(await testsOf('not ok 1 - from the output', '/nowhere/junit.xml')).toEqual({ failed: ['from the output'] });
  expect(testsInJunit('<testsuites')).toEqual({ failed: [], passed: [] });
  expect(testsInJunit('')).toEqual({ failed: [], passed: [] });
});

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
  expect(testsInTap(tap.split('\n'))).toEqual({
    failed: ['sells #1 for cash', 'alone # time=12ms'],
    passed: ['fine', 'not ok is only its name'],
  });
});

test.each([
  ['pytest', 'FAILED tests/test_till.py::test_sale - AssertionError: 200', 'tests/test_till.py::test_sale'],
  ['unittest', 'FAIL: test_sale (test_till.Till.test_sale)', 'test_sale'],
  ['Vitest', ' FAIL  till.test.ts > sells > for cash', 'till.test.ts > sells > for cash'],
  ['Jest', '  ● till › sells for cash', 'till › sells for cash'],
  ['PHPUnit', '1) TillTest::testSale', 'TillTest::testSale'],
  ['Go', '--- FAIL: TestSale (0.00s)', 'TestSale'],
  ['node --test', '\u001b[31m✖ sells for cash \u001b[90m(1.2ms)\u001b[39m\u001b[39m', 'sells for cash'],
])('the lines of %s name failed tests', async (_, line, name) => {
  expect(await testsOf(`begin\n${line}\nend`, undefined)).toEqual({ failed: [name] });
});

test('the lines of node --test and of Go name passed tests too; a name that failed once has failed', async () => {
  const output = '✔ reads (1.5ms)\n  ✔ sells (2ms)\n✖ sells (3ms)\n--- PASS: TestSale (0.00s)';
  expect(await testsOf(output, undefined)).toEqual({ failed: ['sells'], passed: ['reads', 'TestSale'] });
});

test('of other output the last lines are kept, without colours and control characters', () => {
  const output = `${'old\n'.repeat(50)}\u001b[31mred\u001b[0m\u0007\n\n last \r\n`;
  const lines = lastLinesOf(output);
  expect(lines).toHaveLength(15);
  expect(lines.slice(-2)).toEqual(['red\\u{7}', ' last']);
  expect(lastLinesOf('')).toEqual([]);
});
