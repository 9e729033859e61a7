import { Command, Option } from 'commander';
import { viewGap } from '../contracts/register/gap.ts';
import { type Gap, gaps } from '../contracts/register/gaps.ts';
import { isPlayed } from '../contracts/register/not-played.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { count, wrap } from '../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../contracts/tools/verification/reports/text.ts';
import { onStandardOutput, providerOption, say } from './command.ts';
import { gapsMarkdown } from './gaps-markdown.ts';

interface Options {
  provider?: Gap['api'];
  search?: string;
  md: boolean;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle gaps --provider cohesion
  $ passerelle gaps --search currency
  $ passerelle gaps pos.sale-status
  $ passerelle gaps --md > GAPS.md`;

export function gapsCommand(): Command {
  return new Command('gaps')
    .summary('list the questions that the documents leave open')
    .description(
      'Lists the questions that the two documents leave open, and our choice for each. A choice may prove wrong later.',
    )
    .addOption(providerOption('--provider <name>', 'only this API (default: both)'))
    .argument('[words...]', 'as --search, such as the id of a gap')
    .option('--search <text>', 'only entries that contain all these words; ignores case')
    .addOption(new Option('--md', 'print Markdown').default(false).conflicts('json'))
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action((words: string[], { provider, search: searched = '', md, json }: Options) => {
      const search = [searched, ...words].filter(Boolean).join(' ');
      const found = findGaps(gaps, { provider, search });
      if (json) return say(JSON.stringify(found.map(viewGap), null, 2));
      if (found.length === 0)
        throw new CouldNotRun(`No gap contains "${search}": try fewer words, or omit --provider.${hintFor(search)}`);
      say(md ? gapsMarkdown(found) : gapsText(found, onStandardOutput()));
    });
}

/** Harmless changes are listed beside alternatives, but are no gaps. */
const hintFor = (search: string) =>
  search.startsWith('harmless')
    ? ' Harmless changes are no gaps: passerelle stub assume harmless lists those of a running stub.'
    : '';

/** Returns the gaps of an API that contain every word of `search` in any of their texts. */
export function findGaps(
  all: readonly Gap[],
  { provider, search }: { provider?: Gap['api'] | undefined; search: string },
): Gap[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((gap) => {
    const text = [
      gap.id,
      gap.section,
      gap.quote,
      gap.question,
      gap.choice,
      gap.why,
      ...gap.alternatives.flatMap(({ id, text: says }) => [`${gap.id}=${id}`, says]),
    ]
      .join('\n')
      .toLowerCase();
    return (provider === undefined || gap.api === provider) && words.every((word) => text.includes(word));
  });
}

const labelWidth = 12;

/** Formats gaps for a terminal, grouped by API and section. */
export function gapsText(found: readonly Gap[], { width, colors }: TextOptions): string {
  const { bold, dim, pending, verified, failed } = palette(colors);
  const marks = { assumed: pending('assumed'), confirmed: verified('confirmed'), refuted: failed('refuted') };
  const labelled = (label: string, text: string) =>
    wrap(text, Math.max(20, width - labelWidth - 2)).map(
      (line, at) => `  ${dim((at === 0 ? label : '').padEnd(labelWidth))}${line}`,
    );
  const entry = ({ id, status, question, choice, why, alternatives, quote }: Gap) => [
    `${bold(id)}  ${marks[status]}`,
    ...labelled('question', question),
    ...labelled('choice', choice),
    ...labelled('why', why),
    ...alternatives.flatMap((one) =>
      labelled('or', `${one.text} (${one.id}${isPlayed(id, one.id) ? '' : '; no stub plays it'})`),
    ),
    ...(quote === '' ? [] : labelled('document', quote)),
    '',
  ];
  const sections = Map.groupBy(found, ({ api, section }) => `${api}, ${section}`);
  const lines = [...sections].flatMap(([section, entries]) => [bold(section), '', ...entries.flatMap(entry)]);
  const assumed = found.filter(({ status }) => status === 'assumed').length;
  return [...lines, `${count(found.length, 'gap')}, ${assumed} assumed: their choices may prove wrong.`, ''].join('\n');
}
