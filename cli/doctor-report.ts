import { wrap } from '../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../contracts/tools/verification/reports/text.ts';
import type { Diagnosis, Finding } from '../receivers/doctor/diagnose.ts';

const headings = { proved: 'The mistake', suspected: 'Likely, but not proved' } as const;

/** What to look at where nothing was found. */
const nothingFound = [
  'None of the usual mistakes explains it. Most likely the secret is another one: of another endpoint, or from before a rotation.',
  'Try the others that you have (--secret again for each), or the body as it came over the wire.',
];

/** A diagnosis for a terminal. */
export function diagnosisText(diagnosis: Diagnosis, options: TextOptions): string {
  const { valid, message, cause, findings } = diagnosis;
  const { verified, failed, bold } = palette(options.colors);
  const lines = [valid ? verified(`✓ ${message}`) : failed(`✗ ${message}`)];
  if (valid) return `${lines.join('\n')}\n`;
  if (cause === 'none') return [...lines, '', ...nothingFound.flatMap((line) => wrap(line, options.width)), ''].join('\n');
  const heading = findings.length > 1 && cause === 'proved' ? 'The mistakes, together' : headings[cause];
  return [...lines, '', bold(`${heading}:`), ...findings.flatMap((one) => findingLines(one, options)), ''].join('\n');
}

function findingLines({ id, says, fix, code }: Finding, { width, colors }: TextOptions): string[] {
  const { bold, dim } = palette(colors);
  const within = Math.max(40, width - 4);
  return [
    `  ${bold(id)}`,
    ...wrap(says, within).map((line) => `    ${line}`),
    ...wrap(`Do: ${fix}`, within).map((line) => `    ${line}`),
    ...(code === null ? [] : [`    ${dim(code)}`]),
  ];
}
