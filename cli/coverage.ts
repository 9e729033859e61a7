import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Coverage } from '../contracts/tools/coverage/coverage.ts';
import { type FigureName, figureNames, figures, figureText, percentOf } from '../contracts/tools/coverage/figures.ts';
import { coverPacts } from '../contracts/tools/coverage/pacts.ts';
import { coverageReport } from '../contracts/tools/coverage/report.ts';
import { jsonReport } from '../contracts/tools/reports/json.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import type { PactSource } from '../contracts/tools/verification/sources.ts';
import { nearestOf, refusedName } from '../gateway/base/nearest.ts';
import { holdingTests } from '../spec/documents/held-by-tests.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { exitCodes, onStandardOutput, say, tell } from './command.ts';
import { environmentText, envOption, type Given } from './env-option.ts';
import { checkOutputs, outputOption, type Reports, writeOutputs } from './output.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { type StubGiven, withStubOptions } from './stub-options.ts';
import { hasCommand } from './suite-words.ts';

type Thresholds = Partial<Record<FigureName, number>>;

interface Options extends StubGiven {
  env: Given[];
  pact?: string[];
  json: boolean;
  output: string[];
  atLeast: Thresholds;
}

const examples = `
Examples:
  $ passerelle coverage --pact ./pacts
  $ passerelle coverage --at-least 80
  $ passerelle coverage pos -- npm test
  $ passerelle coverage pos cohesion --at-least operations=100,statuses=50 -- vendor/bin/phpunit
${environmentText}

With a command, the options of a stub are for its stubs, and with --json its standard output goes to standard error.
Exit codes: that of the command if it fails, 0 enough is used, 1 less than --at-least, 2 could not run, or nothing was called.`;

export function coverageCommand(): Command {
  const command = new Command('coverage')
    .summary('list the parts of an API that pacts or a test suite use, and those that they do not')
    .description(
      'Lists the operations, statuses, parameters and event types that pacts or a test suite use, those that they do not, and what holds or shows each documented behaviour. Of a suite also the open questions that it meets, and the abilities that its tokens need.',
    )
    .argument('[words...]', `the API (${serviceNames.join(', ')}; default: the one that each pact names), then -- and a command`)
    .addOption(pactsOption())
    .addOption(
      new Option(
        '--at-least <percent>',
        `exit with 1 if fewer of the documented behaviours are held or shown (0 to 100), or of others: ${figureNames.join(', ')}, as in operations=100,events=50`,
      )
        .default({}, 'none')
        .argParser(thresholds),
    )
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'md']))
    .addOption(envOption());
  return withStubOptions(command, 'a free one')
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options) => {
      await checkOutputs(options.output);
      const isSuite = hasCommand(command);
      refuseIdle(command, isSuite);
      const report = (coverages: readonly Coverage[]) => write(coverages, options);
      process.exitCode = isSuite
        ? await (await import('./coverage-suite.ts')).coverSuite(words, options, command, report)
        : await report(await ofPacts(words, options, command));
    });
}

const ofReport = ['json', 'output', 'atLeast'];

/** Throws `CouldNotRun` for an option without effect. */
function refuseIdle(command: Command, isSuite: boolean): void {
  const takes = (name: string) => ofReport.includes(name) || (name === 'pact') !== isSuite;
  const idle = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'cli' && !takes(name);
  });
  if (idle) throw new CouldNotRun(`${idle.long} has no effect ${isSuite ? 'with' : 'without'} a command after --.`);
}

function ofPacts(words: readonly string[], { pact }: Options, command: Command): Promise<Coverage[]> {
  const [name, another] = words;
  const provider = serviceNames.find((one) => one === name);
  if (another !== undefined) throw new CouldNotRun(`"${another}" is one word too many. A command follows after --.`);
  if (name !== undefined && provider === undefined) throw new CouldNotRun(refusedName(name, 'is not an API', serviceNames));
  // Passerelle's tests say nothing about the pacts of others.
  const tests = pact === undefined ? holdingTests : [];
  const cover = async (groups: [ServiceName, PactSource[]][]) =>
    groups.map(([of, pacts]) => coverPacts({ provider: of, pacts, tests }));
  return withPacts(pact, { provider, command }, cover);
}

/** Writes the reports. Returns the exit code. */
async function write(coverages: readonly Coverage[], { json, output, atLeast }: Options): Promise<number> {
  const short = coverages.map((one) => tooLittle(one, atLeast));
  const each = coverages.map((one, at) => coverageReport(one, short[at]));
  const reports: Reports<'json' | 'md'> = {
    json: () => jsonReport(coverages),
    md: () => each.map(markdownReport).join('\n'),
  };
  const look = onStandardOutput();
  say(json ? await reports.json() : each.map((one) => textReport(one, look)).join('\n'));
  await writeOutputs(output, reports);
  for (const line of short.flat()) tell(`passerelle: ${line}`);
  return short.flat().length > 0 ? exitCodes.failed : exitCodes.ok;
}

const tooLittle = (coverage: Coverage, atLeast: Thresholds): string[] =>
  (Object.entries(atLeast) as [FigureName, number][]).flatMap(([name, percent]) => {
    const all = figures[name].of(coverage);
    if (all === undefined) throw new CouldNotRun(`--at-least ${name}=${percent} needs a command after --.`);
    if (percentOf(all) >= percent) return [];
    const missing = all.filter(({ isUsed }) => !isUsed).map((one) => one.name);
    return [`${coverage.provider}: ${figureText(name, all)}. --at-least asks for ${percent} %. Missing: ${missing.join(', ')}.`];
  });

/** Parses `80` and `operations=100,events=50`. */
function thresholds(value: string, before: Thresholds): Thresholds {
  const parsed = value.split(',').map((one) => {
    const [, name = 'behaviours', percent = ''] = /^(?:(\w+)=)?(.*)$/.exec(one.trim()) ?? [];
    if (!figureNames.some((known) => known === name))
      throw new InvalidArgumentError(
        `"${name}" is not measured. Did you mean ${nearestOf(name, figureNames)}? Use ${figureNames.join(', ')}.`,
      );
    if (!/^[0-9]{1,3}$/.test(percent) || Number(percent) > 100)
      throw new InvalidArgumentError('It must be a whole number from 0 to 100, without a percent sign.');
    return [name, Number(percent)];
  });
  return { ...before, ...Object.fromEntries(parsed) };
}
