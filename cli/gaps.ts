import { Command, Option } from 'commander';
import { type Gap, gaps } from '../contracts/register/gaps.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { count, wrap } from '../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../contracts/tools/verification/reports/text.ts';
import { onStandardOutput, providerName, say } from './command.ts';
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
  $ passerelle gaps --md > GAPS.md`;

export function gapsCommand(): Command {
  return new Command('gaps')
    .summary('what the documents leave open, and what we chose')
    .description('The register of what the two documents leave open, and what was chosen: what may still turn out otherwise.')
    .option('--provider <name>', 'pos or cohesion; both by default', providerName)
    .option('--search <text>', 'only entries that hold each of these words, in whatever case')
    .addOption(new Option('--md', 'as Markdown, for a page').default(false).conflicts('json'))
    .option('--json', 'for programs', false)
    .addHelpText('after', examples)
    .action(({ provider, search = '', md, json }: Options) => {
      const found = findGaps(gaps, { provider, search });
      if (json) return say(JSON.stringify(found, null, 2));
      if (found.length === 0)
        throw new CouldNotRun('No entry of the register holds that: try fewer words, or leave --provider out.');
      say(md ? gapsMarkdown(found) : gapsText(found, onStandardOutput()));
    });
}

/** Entries of an API that hold every word of a text somewhere. */
export function findGaps(
  all: readonly Gap[],
  { provider, search }: { provider?: Gap['api'] | undefined; search: string },
): Gap[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((gap) => {
    const text = [gap.id, gap.section, gap.quote, gap.question, gap.choice, gap.why, ...gap.alternatives]
      .join('\n')
      .toLowerCase();
    return (provider === undefined || gap.api === provider) && words.every((word) => text.includes(word));
  });
}

const labels = 12;

/** Entries for a terminal, by API and section. */
export function gapsText(found: readonly Gap[], { width, colors }: TextOptions): string {
  const { bold, dim, pending, verified, failed } = palette(colors);
  const marks = { assumed: pending('assumed'), confirmed: verified('confirmed'), refuted: failed('refuted') };
  const labelled = (label: string, text: string) =>
    wrap(text, Math.max(20, width - labels - 2)).map((line, at) => `  ${dim((at === 0 ? label : '').padEnd(labels))}${line}`);
  const entry = ({ id, status, question, choice, why, alternatives, quote }: Gap) => [
    `${bold(id)}  ${marks[status]}`,
    ...labelled('question', question),
    ...labelled('choice', choice),
    ...labelled('why', why),
    ...alternatives.flatMap((one) => labelled('or', one)),
    ...(quote === '' ? [] : labelled('document', quote)),
    '',
  ];
  const sections = Map.groupBy(found, ({ api, section }) => `${api}, ${section}`);
  const lines = [...sections].flatMap(([section, entries]) => [bold(section), '', ...entries.flatMap(entry)]);
  const assumed = found.filter(({ status }) => status === 'assumed').length;
  return [...lines, `${count(found.length, 'gap')}, ${assumed} assumed: their choices may still turn out otherwise.`, ''].join(
    '\n',
  );
}
