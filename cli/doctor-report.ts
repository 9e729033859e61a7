import { wrap } from '../contracts/tools/reports/plain.ts';
import { palette, type TextOptions } from '../contracts/tools/reports/text.ts';
import type { Diagnosis, Finding } from '../receivers/doctor/diagnose.ts';
import type { paths } from '../spec/types/manage.ts';

const headings = { proved: 'The mistake', suspected: 'A likely mistake (not proved)' } as const;

/** Advice for a signature that no known mistake explains. */
const nothingFound = [
  'No common mistake explains it. The secret is probably wrong: it belongs to another endpoint, or was rotated.',
  'Try your other secrets (repeat --secret), or the raw bytes of the body.',
];

/** Formats a diagnosis for a terminal. */
export function diagnosisText(diagnosis: Diagnosis, options: TextOptions): string {
  const { valid, message, cause, findings } = diagnosis;
  const { passed, failed, bold } = palette(options.colors);
  const lines = [valid ? passed(`✓ ${message}`) : failed(`✗ ${message}`)];
  if (valid) return `${lines.join('\n')}\n`;
  if (cause === 'none') return [...lines, '', ...nothingFound.flatMap((line) => wrap(line, options.width)), ''].join('\n');
  const heading = findings.length > 1 && cause === 'proved' ? 'The mistakes, which occur together' : headings[cause];
  return [...lines, '', bold(`${heading}:`), ...findings.flatMap((one) => findingLines(one, options)), ''].join('\n');
}

type Shown = Omit<Finding, 'id'> & { id: string };

function findingLines({ id, says, fix, code }: Shown, { width, colors }: TextOptions): string[] {
  const { bold, dim } = palette(colors);
  const within = Math.max(40, width - 4);
  return [
    `  ${bold(id)}`,
    ...wrap(says, within).map((line) => `    ${line}`),
    ...wrap(`Do: ${fix}`, within).map((line) => `    ${line}`),
    ...(code === null ? [] : [`    ${dim(code)}`]),
  ];
}

/** A gateway's diagnosis of a delivery. */
export type Examination = paths['/deliveries/{id}/diagnose']['post']['responses'][200]['content']['application/json']['data'];

const compared = { true: 'same', false: 'different', null: 'not compared' } as const;

/** Formats a gateway's diagnosis: the findings, and what was compared with what was sent. */
export function examinationText({ genuine, verdict, finding, attempt, checked }: Examination, options: TextOptions): string {
  const { passed, failed, bold } = palette(options.colors);
  const first = genuine
    ? passed(`✓ The signature of attempt ${attempt ?? '?'} is valid.`)
    : failed(`✗ ${verdict.split('. ')[0]}.`);
  const lines = checked.flatMap(({ what, same, says }) => wrap(`${what} (${compared[`${same}`]}): ${says}`, options.width - 2));
  const cause =
    finding.mistakes.length === 0 ? [] : ['', bold(`${headings[finding.cause === 'suspected' ? 'suspected' : 'proved']}:`)];
  return [
    first,
    ...cause,
    ...finding.mistakes.flatMap((one) => findingLines(one, options)),
    '',
    bold('Compared with what was sent:'),
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}
