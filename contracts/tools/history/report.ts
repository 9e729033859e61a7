import type { Finding, Report } from '../reports/model.ts';
import { count } from '../reports/plain.ts';
import type { Checked } from './check.ts';
import type { Found } from './findings.ts';
import { rules } from './line.ts';

export const hasBroken = ({ findings }: Checked): boolean => findings.length > 0;

const findingOf = ({ rule, event, endpoint, text, lines }: Found): Finding => ({
  outcome: 'failed',
  title: endpoint === null ? event : `${event} at ${endpoint}`,
  text,
  lines: [['lines', lines.join(', ')]],
  type: rule,
});

/** The report of a checked history: a group for each rule that is broken, and one for the others. */
export function historyReport(subject: string, checked: Checked): Report {
  const { counts, findings, found, not_checked: notChecked } = checked;
  const broken = rules.filter((rule) => found[rule] !== undefined);
  const others = rules
    .filter((rule) => found[rule] === undefined)
    .map((rule): Finding => {
      const why = notChecked[rule];
      return why === undefined
        ? { outcome: 'passed', title: rule }
        : { outcome: 'skipped', title: rule, about: why, message: why };
    });
  const groups = broken.map((rule) => ({
    title: rule,
    about: count(found[rule] ?? 0, 'finding'),
    findings: findings.filter((one) => one.rule === rule).map(findingOf),
  }));
  const sum = findings.length === 0 ? 'nothing found' : broken.map((rule) => `${found[rule]} ${rule}`).join(', ');
  return {
    tool: 'check-history',
    title: findings.length === 0 ? 'No rule is broken in the history' : 'Rules are broken in the history',
    subject,
    summary:
      `${count(counts.acknowledged, 'acknowledged event')}, ${counts.owed} owed to endpoints: ${counts.taken} taken, ${counts.pending} pending, ` +
      `${counts.given_up} given up with a reason, ${counts.duplicates} taken again: ${sum}`,
    groups: [...groups, ...(others.length === 0 ? [] : [{ title: 'not broken', findings: others }])],
    notes:
      counts.excused === 0 ? [] : [`${count(counts.excused, 'request')} came with excuses, so not every rule holds for them.`],
  };
}
