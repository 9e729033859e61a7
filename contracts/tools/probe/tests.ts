import { readFile } from 'node:fs/promises';
import { plainLines } from '../reports/plain.ts';

const linesKept = 15;
const failuresKept = 200;

export function lastLinesOf(output: string, most = linesKept): string[] {
  const lines = plainLines(withoutColours(output)).map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').slice(-most);
}

const withoutColours = (text: string) => text.replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '');

export interface Tests {
  /** Empty if the output does not tell. */
  failed: string[];
  /** Absent if only failures are named. A name that several tests share counts as failed if one of them fails. */
  passed?: string[];
}

/** The names of the tests that failed and passed: from the JUnit file if there is one, or else from the output. */
export async function testsOf(output: string, junitFile: string | undefined): Promise<Tests> {
  const xml = junitFile === undefined ? undefined : await readFile(junitFile, 'utf8').catch(() => undefined);
  const { failed, passed = [] } = xml === undefined ? testsIn(withoutColours(output)) : testsInJunit(xml);
  const all = new Set(failed);
  const others = [...new Set(passed)].filter((name) => !all.has(name));
  return { failed: [...all].slice(0, failuresKept), ...(others.length > 0 && { passed: others }) };
}

interface JunitCase {
  /** `class: name`, or only the name if it says the class already. */
  name: string;
  /** As the runner wrote it. */
  file: string | undefined;
  outcome: 'failed' | 'passed' | 'skipped';
}

function casesIn(xml: string): JunitCase[] {
  const text = xml.replaceAll(/<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs, '');
  const cases = text.matchAll(/<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>(.*?)<\/testcase>)/gs);
  return [...cases].map(([, attributes = '', inside = '']) => {
    const pairs = attributes.matchAll(/(?:^|\s)(name|classname|file)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
    const named = Object.fromEntries([...pairs].map(([, of = '', double, single]) => [of, unescaped(double ?? single ?? '')]));
    const { name = '', classname: group = '', file } = named;
    return {
      name: group === '' || group === 'test' || name.startsWith(group) ? name : `${group}: ${name}`,
      file,
      outcome: /<skipped\b/.test(inside) ? 'skipped' : /<(failure|error)\b/.test(inside) ? 'failed' : 'passed',
    };
  });
}

/** Test cases with a failure or an error count as failed. */
export function testsInJunit(xml: string): Required<Tests> {
  const cases = casesIn(xml);
  const named = (outcome: JunitCase['outcome']) => cases.filter((one) => one.outcome === outcome).map(({ name }) => name);
  return { failed: named('failed'), passed: named('passed') };
}

/** The files of tests, of runners that write them, by the names of the tests. */
export const filesInJunit = (xml: string): ReadonlyMap<string, string> =>
  new Map(casesIn(xml).flatMap(({ name, file }) => (file ? [[name, file] as const] : [])));

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

/** Lines by which test runners name a test that passed. Most name failures only. */
const passedLines: readonly RegExp[] = [
  // node --test with its default reporter: ✔ sells for cash (1.2ms)
  /^ *✔ (.+?) \([\d.]+ms\)$/,
  // go test -v: --- PASS: TestSale (0.00s)
  /^ *--- PASS: (\S+)/,
];

function testsIn(output: string): Tests {
  const lines = output.split(/\r?\n/);
  const tap = testsInTap(lines);
  if (tap.failed.length + tap.passed.length > 0) return tap;
  const named = (patterns: readonly RegExp[]) =>
    lines.flatMap((line) => patterns.map((pattern) => pattern.exec(line)?.[1]?.trim()).find(Boolean) ?? []);
  return { failed: named(failureLines), passed: named(passedLines) };
}

/** TAP: `not ok 3 - name`. If failures are nested, only the innermost ones, because the others fail because of these. */
export function testsInTap(lines: readonly string[]): Required<Tests> {
  const points = lines.flatMap((line) => {
    const [, indent = '', not, name = '', directive] =
      /^( *)(not )?ok\b(?: \d+)?(?: -)? ?(.*?)(?: # (TODO|SKIP)\b.*)?$/i.exec(line) ?? [];
    const isPoint = /^ *(not )?ok\b/.test(line) && directive === undefined && name !== '';
    return isPoint ? [{ depth: indent.length, failed: not !== undefined, name: name.replaceAll(/\\([#\\])/g, '$1').trim() }] : [];
  });
  const failed = points.filter((one) => one.failed);
  return {
    // A parent follows its subtests, with less indentation.
    failed: failed.filter(({ depth }, at) => !(at > 0 && (failed[at - 1]?.depth ?? 0) > depth)).map(({ name }) => name),
    passed: points.filter((one) => !one.failed).map(({ name }) => name),
  };
}
