import { Command } from 'commander';
import type { ServiceName } from '../contracts/documents/services.ts';
import { eventsOf, operationsOf } from '../contracts/openapi/operations.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { count, duration } from '../contracts/tools/reports/plain.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { readBeside } from '../contracts/tools/verification/sources.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import { callFailureNames, webhookFailureNames } from '../stress/failures.ts';
import { stressAnnotations, stressReport, stressSuite, unaccepted } from '../stress/report.ts';
import type { StressProgress } from '../stress/runs.ts';
import { runStress } from '../stress/stress.ts';
import { commaSeparated } from './command.ts';
import { environmentText } from './env-option.ts';
import { jobs, type RepeatedGiven, runPlaceText, runsOf, tellSearch, withReports, withRuns } from './repeated-suite.ts';
import { commandWords, remindOfDashes } from './suite-words.ts';
import { seconds } from './verify-options.ts';

interface Options extends RepeatedGiven {
  atMost: number;
}

const examples = `
Examples:
  $ passerelle stress pos -- npm test
  $ passerelle stress pos --env SHOP_API={url}/api/v1 -- pytest
  $ passerelle stress pos --only createSale -- npm test
  $ passerelle stress pos --only createSale,lost-after,rate-limited -- npm test
  $ passerelle stress pos --webhook http://localhost:3000/hook -- npm test
  $ passerelle stress pos --output stress.html --output "$GITHUB_STEP_SUMMARY" -- npm test
${environmentText}
${runPlaceText}

Failures of calls: ${callFailureNames.join(', ')}.
Failures of webhooks, if a receiver accepts some: ${webhookFailureNames.join(', ')}.
A finding is accepted by an entry with its id, a reason and an expiry in "findings" of ${besideName}.
Exit codes: 0 no finding that is not accepted, 1 findings, 2 could not run, or stopped.`;

export function stressCommand(): Command {
  return withReports(
    withRuns(remindOfDashes(new Command('stress')))
      .summary('find out what your program does when calls and webhooks fail')
      .description(
        'Runs a command, such as your test suite, and plays each failure that the API documents or HTTP allow at each of its calls. The tests and what the stub saw say what became of it: survived, told to the caller, or silent damage, such as a second sale.',
      )
      .option('--at-most <number>', 'the most requests of an operation at which a failure is played in one run', jobs, 10)
      .option(
        '--timeout <seconds>',
        'the limit of one run (default: three times the slowest plain run and 30 s; 15 minutes for the plain runs)',
        seconds,
      )
      .option(
        '--only <list>',
        'play only these failures, or at these operations and events, separated by commas (default: all)',
        commaSeparated,
      ),
    'findings',
  )
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = commandWords(words, command);
      process.exitCode = await run(apis, suite, options);
    });
}

function checkOnly(apis: readonly ServiceName[], only: readonly string[]): void {
  const operations = apis.flatMap((api) => operationsOf(api).map(({ operation }) => operation.operationId ?? ''));
  const known = [
    ...callFailureNames,
    ...webhookFailureNames,
    ...operations,
    ...apis.flatMap((api) => Object.keys(eventsOf(api))),
  ];
  const wrong = only.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new CouldNotRun(
    `--only: "${wrong}" is no failure, operation or event of ${apis.join(' and ')}. ${didYouMean(wrong, known)}They are ${known.join(', ')}.`,
  );
}

async function run(apis: ServiceName[], suite: string[], options: Options): Promise<number> {
  const { only = [], atMost, assumptions } = options;
  if (options.only?.length === 0) throw new CouldNotRun('--only: name a failure, an operation or an event, such as lost-after.');
  checkOnly(apis, only);
  const forms = { report: stressReport, suite: stressSuite, annotations: stressAnnotations, unaccepted };
  return tellSearch(options, forms, async ({ onLine, ...given }) =>
    runStress({
      ...runsOf(apis, suite, options),
      ...given,
      only,
      atMost,
      accepted: (await readBeside(assumptions))?.findings ?? [],
      onProgress: (step) => onLine(lineOf(step)),
    }),
  );
}

export const lineOf = ({ runs, left, leftMs, findings }: StressProgress): string =>
  left === undefined
    ? `stress: ${count(runs, 'plain run')} passed`
    : `stress: ${count(runs, 'run')}, ${count(left, 'failure')} left (${duration(leftMs)}); ${count(findings, 'finding')}`;
