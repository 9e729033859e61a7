import { xmlText } from '../../contracts/tools/verification/reports/junit.ts';
import { count, duration, plain, shorten, wrap } from '../../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../../contracts/tools/verification/reports/text.ts';
import type { CheckOutcome } from './check.ts';
import type { CheckResult, Evidence, ReceiverCheck } from './run.ts';

const marks: Readonly<Record<CheckOutcome, string>> = { passed: '✓', failed: '✗', warned: '!', skipped: '-' };
const styles = { passed: 'verified', failed: 'failed', warned: 'pending', skipped: 'dim' } as const;
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
function detailLines({ sends, expects, says, why, evidence, outcome }: CheckResult, width: number): string[] {
  if (outcome === 'skipped') return labelled('skipped', says, width);
  return [
    ...labelled('sent', sends, width),
    ...labelled('expected', expects, width),
    ...evidence.flatMap((one) => labelled('received', evidenceLine(one), width)),
    ...labelled('found', says, width),
    ...labelled('why', why, width),
  ];
}

const secretAdvice =
  'Next: the receiver rejects a genuine event. Check that it has the secret of --secret. Save the body and headers as it sees them, and run passerelle doctor signature.';
const refusesGenuine = (results: readonly CheckResult[]) =>
  results.some(({ id, evidence }) => id === 'valid_event' && evidence.some(({ status }) => status === 401 || status === 403));

/** Formats a run for a terminal: a line for each check, and details of the checks that did not pass. */
export function checkText({ url, ms, results }: ReceiverCheck, { width, colors }: TextOptions): string {
  const all = palette(colors);
  const lines = results.flatMap((result) => {
    const line = `${marks[result.outcome]} ${result.id.padEnd(22)}${result.title}`;
    const time = result.evidence.length === 0 ? '' : `  ${duration(result.ms)}`;
    const details = result.outcome === 'passed' ? [] : [...detailLines(result, width), ''];
    return [all[styles[result.outcome]](`${line}${time}`), ...details];
  });
  const [failed, warned] = [tally(results, 'failed'), tally(results, 'warned')];
  const summary = `${count(results.length, 'check')} in ${duration(ms)}: ${tally(results, 'passed')} passed, ${failed} failed, ${warned} warned, ${tally(results, 'skipped')} skipped`;
  const worst = failed > 0 ? all.failed : warned > 0 ? all.pending : all.verified;
  const next = refusesGenuine(results) ? wrap(secretAdvice, width) : [];
  return [all.bold(`Receiver ${plain(url)}`), '', ...lines, '', worst(summary), ...next, ''].join('\n');
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function testcase(result: CheckResult, url: string): string {
  const { id, title, outcome, says, ms } = result;
  const opening = `<testcase name="${xmlText(`${id}: ${title}`)}" classname="${xmlText(`receiver ${url}`)}" time="${seconds(ms)}"`;
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
export function checkJunit({ url, startedAt, ms, results }: ReceiverCheck): string {
  const counts = `tests="${results.length}" failures="${tally(results, 'failed')}" errors="0" skipped="${tally(results, 'skipped')}" time="${seconds(ms)}"`;
  const suite = `<testsuite name="${xmlText(`receiver ${url}`)}" ${counts} timestamp="${startedAt.replace(/(\.\d+)?Z$/, '')}">`;
  const cases = results.map((result) => testcase(result, url)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="passerelle receiver check" ${counts}>\n  ${suite}\n${cases}  </testsuite>\n</testsuites>\n`;
}
