import { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Observed } from '../contracts/tools/observed/file.ts';
import { seenText, summaryOf } from '../contracts/tools/observed/report.ts';
import { count, wrap } from '../contracts/tools/reports/plain.ts';
import { palette, type TextOptions } from '../contracts/tools/reports/text.ts';
import { serviceNames } from '../spec/documents/services.ts';
import { viewGap } from '../spec/gaps/gap.ts';
import { type Gap, gaps } from '../spec/gaps/gaps.ts';
import { onStandardOutput, say } from './command.ts';
import { gapsMarkdown } from './gaps-markdown.ts';
import { checkOutputs, outputOption, type Reports, writeOutputs } from './output.ts';

interface Options {
  search?: string;
  observed?: string;
  output: string[];
  json: boolean;
}

const examples = `
Examples:
  $ passerelle gaps cohesion
  $ passerelle gaps --search currency
  $ passerelle gaps pos.sale-status
  $ passerelle gaps --output GAPS.md
  $ passerelle gaps --observed observed.json`;

export const gapsCommand = (): Command =>
  new Command('gaps')
    .summary('list the questions that the documents leave open')
    .description(
      'Lists the questions that the two documents leave open, and our choice for each. A choice may prove wrong later.',
    )
    .argument('[words...]', `only this API (${serviceNames.join(', ')}), then words as of --search, such as the id of a gap`)
    .option('--search <text>', 'only entries that contain all these words; ignores case')
    .option('--observed <file>', 'also what a service was seen to do, from a file of passerelle observe')
    .addOption(outputOption(['json', 'md']))
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (given: string[], { search: searched = '', observed: file, output, json }: Options) => {
      await checkOutputs(output);
      const asked = serviceNames.find((name) => name === given[0]);
      const words = asked ? given.slice(1) : given;
      const observed = file === undefined ? undefined : await observedIn(file, asked);
      const provider = asked ?? observed?.api;
      const named = words.find((word) => /\.(json|md)$/.test(word));
      if (named !== undefined) throw new CouldNotRun(`"${named}" is a word to search for. To write a file: --output ${named}.`);
      const search = [searched, ...words].filter(Boolean).join(' ');
      const found = findGaps(gaps, { provider, search });
      const reports: Reports<'json' | 'md'> = {
        json: () =>
          JSON.stringify(
            found.map((gap) => withObserved(gap, observed)),
            null,
            2,
          ),
        md: () => {
          if (observed) throw new CouldNotRun('Markdown has no place for what was observed: write it to a .json file.');
          return gapsMarkdown(found);
        },
      };
      if (json) say(await reports.json());
      else if (found.length === 0)
        throw new CouldNotRun(`No gap contains "${search}": try fewer words, or leave out the API.${hintFor(search)}`);
      else say(gapsText(found, onStandardOutput(), observed));
      await writeOutputs(output, reports);
    });

/** Harmless changes are listed beside alternatives, but are no gaps. */
const hintFor = (search: string) =>
  search.startsWith('harmless')
    ? ' Harmless changes are no gaps: passerelle stub assume harmless lists those of a running stub.'
    : '';

const observedIn = async (file: string, api: Gap['api'] | undefined): Promise<Observed> =>
  (await import('../contracts/tools/observed/file.ts')).readObserved(file, api);

const entryOf = ({ id }: Gap, observed: Observed | undefined) => observed?.entries.find((one) => one.gap === id);

/** An entry as programs get it, with what a service was seen to do. */
function withObserved(gap: Gap, observed: Observed | undefined) {
  const { gap: _id, ...seen } = entryOf(gap, observed) ?? { gap: gap.id };
  return { ...viewGap(gap), ...(observed && { observed: seen }) };
}

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
export function gapsText(found: readonly Gap[], { width, colors }: TextOptions, observed?: Observed): string {
  const { bold, dim, pending, passed, failed } = palette(colors);
  const marks = { assumed: pending('assumed'), confirmed: passed('confirmed'), refuted: failed('refuted') };
  const labelled = (label: string, text: string) =>
    wrap(text, Math.max(20, width - labelWidth - 2)).map(
      (line, at) => `  ${dim((at === 0 ? label : '').padEnd(labelWidth))}${line}`,
    );
  const seen = { confirmed: passed, refuted: failed, contradictory: failed, 'not-seen': dim, 'ask-owner': dim };
  const entry = (gap: Gap) => {
    const { id, status, question, choice, why, alternatives, quote } = gap;
    const one = entryOf(gap, observed);
    return [
      `${bold(id)}  ${one ? seen[one.verdict](one.verdict) : marks[status]}`,
      ...(one ? labelled('observed', seenText(one, gap)) : []),
      ...labelled('question', question),
      ...labelled('choice', choice),
      ...labelled('why', why),
      ...alternatives.flatMap((one) =>
        labelled('or', `${one.text} (${one.id}${one.notPlayed === undefined ? '' : '; no stub plays it'})`),
      ),
      ...(quote === '' ? [] : labelled('document', quote)),
      '',
    ];
  };
  const sections = Map.groupBy(found, ({ api, section }) => `${api}, ${section}`);
  const lines = [...sections].flatMap(([section, entries]) => [bold(section), '', ...entries.flatMap(entry)]);
  if (observed) return [...lines, summaryOf(observed), ''].join('\n');
  const assumed = found.filter(({ status }) => status === 'assumed').length;
  return [...lines, `${count(found.length, 'gap')}, ${assumed} assumed: their choices may prove wrong.`, ''].join('\n');
}
