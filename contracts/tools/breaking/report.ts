import { type Finding, type Group, type Labelled, labelledOf, type Report } from '../reports/model.ts';
import { count, shorten } from '../reports/plain.ts';
import type { Accepted, Judged } from './accepted.ts';
import { type Severity, severities } from './rules.ts';

/** The changes between two documents, and what was accepted beforehand. */
export interface Compared {
  old: string;
  new: string;
  changes: readonly Judged[];
  /** Entries of the file of accepted changes that accept nothing. */
  unneeded: readonly Accepted[];
  /** The least severity that fails the check. */
  failOn: Exclude<Severity, 'harmless'>;
  /** Notes about the comparison, such as that both are the same file. */
  notes: readonly string[];
}

/** Returns true if the change fails the check. */
export const fails = ({ failOn }: Compared, { severity, accepted }: Judged): boolean =>
  !accepted && severities.indexOf(severity) <= severities.indexOf(failOn);

export const isFailed = (compared: Compared): boolean => compared.changes.some((one) => fails(compared, one));

const tally = ({ changes }: Compared) => {
  const of = (wanted: Severity) => changes.filter(({ severity, accepted }) => severity === wanted && !accepted).length;
  return {
    breaking: of('breaking'),
    risky: of('risky'),
    harmless: of('harmless'),
    accepted: changes.filter((one) => one.accepted).length,
  };
};

/** Returns such as `2 breaking, 0 risky, 5 harmless`. */
function summaryLine(compared: Compared): string {
  const { accepted, ...rest } = tally(compared);
  const counts = severities.map((severity) => `${rest[severity]} ${severity}`).join(', ');
  return `${count(compared.changes.length, 'change')} from ${compared.old} to ${compared.new}: ${counts}${accepted > 0 ? `, ${accepted} accepted` : ''}`;
}

const explanation = ({ what, why, rule }: Judged) => `${what}${why ? ` ${why}` : ''} (${rule})`;

const linesOf = ({ before, after, accepted, expired }: Judged): Labelled[] => {
  const until = accepted ?? expired;
  const standing = until && `${accepted ? '' : 'was '}accepted until ${until.expiry}: ${until.reason}`;
  return labelledOf({ before, after, standing }).map(([label, text]) => [label, shorten(text, 300)]);
};

function findingOf(compared: Compared, one: Judged): Finding {
  const { severity, accepted, place, what, rule } = one;
  const word = accepted ? 'accepted' : severity;
  if (severity === 'harmless') return { outcome: 'passed', word, title: place, about: `${what} (${rule})` };
  const failed = fails(compared, one);
  return {
    outcome: failed ? 'failed' : 'pending',
    word,
    title: place,
    text: explanation(one),
    lines: linesOf(one),
    message: failed ? explanation(one) : `${word}: ${accepted ? accepted.reason : explanation(one)}`,
    type: rule,
    classname: severity,
  };
}

/**
 * Returns the changes. If a component has changed, the change appears in many operations: it is returned once, with the first
 * place and the number of the others.
 */
function grouped(changes: readonly Judged[]): Judged[] {
  const keyOf = ({ rule, place, before, after, accepted, expired }: Judged) =>
    JSON.stringify([rule, place.includes('$') ? place.slice(place.indexOf('$')) : place, before, after, accepted, expired]);
  return [...Map.groupBy(changes, keyOf).values()].flatMap(([first, ...others]) =>
    first ? [others.length === 0 ? first : { ...first, place: `${first.place}, and ${count(others.length, 'more place')}` }] : [],
  );
}

/**
 * The changes that fail the check. The change of a component is listed once, with its first place and a title that counts the
 * others.
 */
export const failing = (compared: Compared): { place: string; title: string; message: string }[] =>
  grouped(compared.changes.filter((one) => fails(compared, one))).map((one) => ({
    place: one.place.replace(/, and \d+ more places?$/, ''),
    title: one.place,
    message: [explanation(one), ...linesOf(one).map(([label, text]) => `${label}: ${text}`)].join('\n'),
  }));

/** The report of a comparison, with a group for each severity. A terminal shows fewer harmless changes. */
export function breakingReport(compared: Compared, harmlessShown = Number.POSITIVE_INFINITY): Report {
  const bySeverity = severities.map((severity) => ({
    severity,
    changes: grouped(compared.changes.filter((one) => one.severity === severity)),
  }));
  const more = (bySeverity.find(({ severity }) => severity === 'harmless')?.changes.length ?? 0) - harmlessShown;
  return {
    tool: 'breaking',
    title: isFailed(compared) ? 'The new document breaks consumers' : 'Nothing breaks a consumer',
    summary: summaryLine(compared),
    groups: bySeverity
      .filter(({ changes }) => changes.length > 0)
      .map(({ severity, changes }) => ({
        title: severity,
        findings: changes
          .slice(0, severity === 'harmless' ? harmlessShown : changes.length)
          .map((one) => findingOf(compared, one)),
      })),
    notes: [
      ...(more > 0 ? [`There are ${more} more harmless changes, which --json lists.`] : []),
      ...compared.notes,
      ...compared.unneeded.map(({ rule, place }) => `No longer needed in the file of accepted changes: ${rule} at ${place}`),
    ],
  };
}

/** The same for JUnit: a test for each change that a consumer may notice, in one suite. */
export function breakingSuite(compared: Compared): Report {
  const noticed = compared.changes
    .filter(({ severity }) => severity !== 'harmless')
    .map((one) => ({ ...findingOf(compared, one), title: `${one.place}: ${one.what}` }));
  const whole: Finding = { outcome: 'passed', title: `${compared.new} was compared with ${compared.old}`, classname: 'compared' };
  const suite: Group = { title: `${compared.old} to ${compared.new}`, findings: [whole, ...noticed] };
  return { ...breakingReport(compared), groups: [suite] };
}

/** Formats the comparison for programs. */
export function breakingJson(compared: Compared): string {
  const { old, new: now, changes, unneeded, notes } = compared;
  return JSON.stringify(
    { old, new: now, failed: isFailed(compared), counts: tally(compared), changes, unneeded, notes },
    null,
    2,
  );
}
