import leven from 'leven';
import { z } from 'zod';
import { nearestOf } from '../../../gateway/base/nearest.ts';
import { literal } from '../../../gateway/base/text.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { jsonOfFile } from '../json.ts';
import type { Finding } from './documents.ts';
import { type RuleName, ruleOf, rules } from './rules.ts';

/** A change that the authors of the document make on purpose. */
export interface Accepted {
  rule: string;
  /** The place as the report shows it; `*` stands for any text. */
  place: string;
  reason: string;
  /** The last day on which the entry counts, YYYY-MM-DD (UTC). */
  expiry: string;
}

export interface Judged extends Finding {
  accepted?: Accepted;
  /** An entry that accepted the change until it expired. */
  expired?: Accepted;
}

/** A harmless change needs no entry. */
const acceptable = (Object.keys(rules) as RuleName[]).filter((name) => ruleOf(name).severity !== 'harmless');

/** The message for a value that is missing, or of another kind. */
const wrongUnless = (kind: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'it is missing' : `it is no ${kind}`),
});
const text = z.string(wrongUnless('text')).trim().min(1, 'it is empty');

const fields = {
  rule: z.string(wrongUnless('text')).refine((name) => acceptable.includes(name as RuleName), {
    error: ({ input }) => `there is no rule "${input}". Did you mean "${nearestOf(String(input), acceptable)}"?`,
  }),
  place: text,
  reason: text,
  expiry: z.iso.date(wrongUnless('date')),
};
const entry = z.strictObject(fields, wrongUnless('object'));
const shape = z.strictObject({ accepted: z.array(entry, wrongUnless('list')) }, wrongUnless('object'));
const fieldNames = ['accepted', ...Object.keys(fields)];

function whatIsWrong(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code !== 'unrecognized_keys') return `${where}${issue.message}`;
  const [key = ''] = issue.keys;
  return `${where}there is no field "${key}". Did you mean "${nearestOf(key, fieldNames)}"?`;
}

/** Reads the text of a file of accepted changes. Throws `CouldNotRun`, which names the nearest known name. */
export function parseAccepted(text: string, path: string): Accepted[] {
  const parsed = shape.safeParse(jsonOfFile(text, path));
  if (parsed.success) return parsed.data.accepted;
  const { issues } = parsed.error;
  // A misspelt field is reported twice: as unknown, and as missing under its right name.
  const issue = issues.find((one) => one.code === 'unrecognized_keys') ?? issues[0];
  const wrong = (issue ? whatIsWrong(issue) : 'not valid').replace(/(?<!\?)$/, '.');
  throw new CouldNotRun(`${path}, ${wrong} Expected {"accepted": [{"rule", "place", "reason", "expiry": "YYYY-MM-DD"}]}.`);
}

function patternOf(place: string): RegExp {
  const parts = place.split('*').map(literal);
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** How different a place may be, as a share of its length, and still be a misspelling of another. */
const misspelt = 0.15;

/**
 * Marks the changes that an entry accepts, and returns the entries that accept none. An entry past its expiry accepts nothing.
 * Throws `CouldNotRun` if such an entry is almost the same as a change that no entry accepts: it is probably misspelt.
 */
export function accept(findings: readonly Finding[], entries: readonly Accepted[], today: string) {
  const patterns = entries.map((one) => ({ one, pattern: patternOf(one.place) }));
  const judged = findings.map((finding): Judged => {
    const fitting = patterns.filter(({ one, pattern }) => one.rule === finding.rule && pattern.test(finding.place));
    const accepted = fitting.find(({ one }) => one.expiry >= today)?.one;
    const expired = accepted ? undefined : fitting[0]?.one;
    return { ...finding, ...(accepted && { accepted }), ...(expired && { expired }) };
  });
  const used = new Set(judged.flatMap(({ accepted, expired }) => [accepted, expired]));
  const unneeded = entries.filter((one) => !used.has(one));
  const open = judged.filter(({ accepted, expired }) => !accepted && !expired);
  for (const one of unneeded) {
    const near = open.filter(({ rule }) => rule === one.rule).map(({ place }) => place);
    const nearest = near.length === 0 ? undefined : nearestOf(one.place, near);
    if (nearest !== undefined && leven(nearest, one.place) <= misspelt * nearest.length)
      throw new CouldNotRun(`No change of the rule ${one.rule} is at "${one.place}". Did you mean "${nearest}"?`);
  }
  return { judged, unneeded };
}
