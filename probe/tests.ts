import { readFile } from 'node:fs/promises';
import { plainLines } from '../contracts/tools/verification/reports/plain.ts';

const linesKept = 15;
const failuresKept = 200;

/** The last lines of a program's output, without colours. */
export function lastLinesOf(output: string, most = linesKept): string[] {
  const lines = plainLines(withoutColours(output)).map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').slice(-most);
}

const withoutColours = (text: string) => text.replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '');

/**
 * The names of the tests that failed, from the JUnit file if there is one, and otherwise from TAP or from the lines by which
 * pytest, Vitest, Jest, PHPUnit and Go name failures. Empty if the output does not tell.
 */
export async function failedTestsOf(output: string, junitFile: string | undefined): Promise<string[]> {
  const xml = junitFile === undefined ? undefined : await readFile(junitFile, 'utf8').catch(() => undefined);
  const names = xml === undefined ? namesIn(withoutColours(output)) : failedInJunit(xml);
  return [...new Set(names)].slice(0, failuresKept);
}

/** The test cases with a failure or an error: `class: name`, or only the name if it says the class already. */
export function failedInJunit(xml: string): string[] {
  const text = xml.replaceAll(/<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs, '');
  const cases = text.matchAll(/<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>(.*?)<\/testcase>)/gs);
  return [...cases].flatMap(([, attributes = '', inside = '']) => {
    if (!/<(failure|error)\b/.test(inside)) return [];
    const name = attributeOf(attributes, 'name') ?? '';
    const group = attributeOf(attributes, 'classname') ?? '';
    return [group === '' || group === 'test' || name.startsWith(group) ? name : `${group}: ${name}`];
  });
}

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  const value = double ?? single;
  return value === undefined ? undefined : unescaped(value);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const unescaped = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    return entities[name ?? ''] ?? all;
  });

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

function namesIn(output: string): string[] {
  const lines = output.split(/\r?\n/);
  const tap = failedInTap(lines);
  if (tap.length > 0) return tap;
  return lines.flatMap((line) => failureLines.map((pattern) => pattern.exec(line)?.[1]?.trim()).find(Boolean) ?? []);
}

/** TAP: `not ok 3 - name`. Of nested tests only the innermost, since the others fail because of them. */
export function failedInTap(lines: readonly string[]): string[] {
  const failed = lines.flatMap((line) => {
    const [, indent = '', name = '', directive] =
      /^( *)not ok\b(?: \d+)?(?: -)? ?(.*?)(?: # (TODO|SKIP)\b.*)?$/i.exec(line) ?? [];
    const isFailure = /^ *not ok\b/.test(line) && directive === undefined && name !== '';
    return isFailure ? [{ depth: indent.length, name: name.replaceAll(/\\([#\\])/g, '$1').trim() }] : [];
  });
  // A parent follows its subtests, with less indentation.
  return failed.filter(({ depth }, at) => !(at > 0 && (failed[at - 1]?.depth ?? 0) > depth)).map(({ name }) => name);
}
