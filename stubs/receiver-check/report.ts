import { xmlText } from '../../contracts/tools/reports/junit.ts';
import { count, duration, plain, shorten, wrap } from '../../contracts/tools/reports/plain.ts';
import { palette, type TextOptions } from '../../contracts/tools/reports/text.ts';
import { type CheckOutcome, type CheckResult, type Evidence, type Level, levels } from './check.ts';
import { decides, type ReceiverCheck } from './run.ts';

const marks: Readonly<Record<CheckOutcome, string>> = { passed: '✓', failed: '✗', warned: '!', skipped: '-' };
const styles = { passed: 'passed', failed: 'failed', warned: 'pending', skipped: 'skipped' } as const;
const margin = 14;

const tally = (results: readonly CheckResult[], outcome: CheckOutcome) =>
  results.filter((result) => result.outcome === outcome).length;

/** `first: 401 in 3 ms, wrong_signature`. */
function evidenceLine({ label, status, outcome, error, ms, answer }: Evidence): string {
  const result = status === null ? `${outcome}: ${error ?? ''}` : String(status);
  return `${label}: ${result} in ${duration(ms)}${answer === '' ? '' : `, ${plain(answer)}`}`;
}

function labelled(label: string, text: string, width: number): string[] {
  const lines = wrap(plain(text), Math.max(20, width - margin));
  return lines.map((line, at) => `    ${(at === 0 ? label : '').padEnd(margin - 4)}${line}`);
}

/** Formats the request, the expected response and the received one. */
function detailLines({ sends, expects, says, why, evidence, outcome, gaps }: CheckResult, width: number): string[] {
  if (outcome === 'skipped') return labelled('skipped', says, width);
  return [
    ...labelled('sent', sends, width),
    ...labelled('expected', expects, width),
    ...evidence.flatMap((one) => labelled('received', evidenceLine(one), width)),
    ...labelled('found', says, width),
    ...labelled('why', why, width),
    ...(gaps.length > 0 ? labelled('gap', `${gaps.join(', ')}: the documents leave this open; it is our choice.`, width) : []),
  ];
}

const headings: Readonly<Record<Level, string>> = {
  documented: 'what the API documents require',
  recommended: 'our choices where the documents are silent, and good practice',
};

/** Formats a run for a terminal: the cause, a line for each check, and details of the checks that did not pass. */
export function checkText({ url, ms, cause, passed, strict, results }: ReceiverCheck, { width, colors }: TextOptions): string {
  const all = palette(colors);
  const line = (result: CheckResult) => {
    const time = result.evidence.length === 0 ? '' : `  ${duration(result.ms)}`;
    const details = result.outcome === 'passed' ? [] : [...detailLines(result, width), ''];
    const style = styles[result.outcome === 'failed' && !decides(result, strict) ? 'warned' : result.outcome];
    return [all[style](`${marks[result.outcome]} ${result.id.padEnd(22)}${result.title}${time}`), ...details];
  };
  const sections = levels.flatMap((level) => {
    const own = results.filter((result) => result.level === level);
    const heading = `${level === 'documented' ? 'Documented' : 'Recommended'}: ${tally(own, 'passed')} of ${own.length} passed`;
    return [all.bold(heading) + all.dim(`  (${headings[level]})`), ...own.flatMap(line), ''];
  });
  const first =
    cause === null ? [] : [all.failed(`The cause: ${cause.id}`), ...wrap(`${cause.says} Do: ${cause.fix}`, width), ''];
  const [failed, warned] = [tally(results, 'failed'), tally(results, 'warned')];
  const counts = `${count(results.length, 'check')} in ${duration(ms)}: ${tally(results, 'passed')} passed, ${failed} failed, ${warned} warned, ${tally(results, 'skipped')} skipped`;
  const worst = !passed ? all.failed : failed + warned > 0 ? all.pending : all.passed;
  return [
    all.bold(`Receiver ${plain(url)}`),
    '',
    ...first,
    ...sections,
    worst(counts),
    ...verdict(passed, failed, strict),
    '',
  ].join('\n');
}

/** Says what decided, if a reader may wonder. */
function verdict(passed: boolean, failed: number, strict: boolean): string[] {
  if (failed === 0 || strict) return [];
  return [
    passed
      ? 'It does what the documents require. With --strict, failed recommendations count too.'
      : 'A failed check of what the documents require decides.',
  ];
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function testcase(result: CheckResult, { url, strict }: ReceiverCheck): string {
  const { id, level, title, says, ms } = result;
  // A failed recommendation must not fail a build that reads only this file.
  const outcome = result.outcome === 'failed' && !decides(result, strict) ? 'warned' : result.outcome;
  const opening = `<testcase name="${xmlText(`${id}: ${title}`)}" classname="${xmlText(`receiver ${url} ${level}`)}" time="${seconds(ms)}"`;
  const message = `message="${xmlText(shorten(says, 300))}"`;
  if (outcome === 'skipped') return `    ${opening}><skipped ${message}/></testcase>\n`;
  const details = xmlText(detailLines(result, 120).join('\n')).replaceAll('&#10;', '\n');
  const content = {
    passed: '',
    failed: `<failure ${message} type="${id}">\n${details}\n</failure>`,
    warned: `<system-out>\n${details}\n</system-out>`,
  }[outcome];
  return `    ${opening}>${content}</testcase>\n`;
}

/** Formats a run as JUnit XML. */
export function checkJunit(checked: ReceiverCheck): string {
  const { url, startedAt, ms, strict, results } = checked;
  const failures = results.filter((result) => decides(result, strict)).length;
  const counts = `tests="${results.length}" failures="${failures}" errors="0" skipped="${tally(results, 'skipped')}" time="${seconds(ms)}"`;
  const suite = `<testsuite name="${xmlText(`receiver ${url}`)}" ${counts} timestamp="${startedAt.replace(/(\.\d+)?Z$/, '')}">`;
  const cases = results.map((result) => testcase(result, checked)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="passerelle receiver check" ${counts}>\n  ${suite}\n${cases}  </testsuite>\n</testsuites>\n`;
}
