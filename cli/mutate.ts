import { Command } from 'commander';
import type { ServiceName } from '../contracts/documents/services.ts';
import { mutated } from '../contracts/mutants/mutants.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { count, duration } from '../contracts/tools/reports/plain.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { readBeside } from '../contracts/tools/verification/sources.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import { type MutateProgress, namesOf, notTakenAway, runMutate } from '../mutate/mutate.ts';
import { mutateAnnotations, mutateReport, mutateSuite, unaccepted } from '../mutate/report.ts';
import { assumedText } from '../stubs/assume/chosen.ts';
import { commaSeparated, exitCodes, say } from './command.ts';
import { environmentText } from './env-option.ts';
import { type RepeatedGiven, runPlaceText, runsOf, tellSearch, withReports, withRuns } from './repeated-suite.ts';
import { commandWords, remindOfDashes, suiteWords } from './suite-words.ts';
import { seconds } from './verify-options.ts';

interface Options extends RepeatedGiven {
  list: boolean;
}

const examples = `
Examples:
  $ passerelle mutate pos -- npm test
  $ passerelle mutate pos --list
  $ passerelle mutate pos --env SHOP_API={url}/api/v1 -- pytest
  $ passerelle mutate pos --only createSale,sale.completed -- npm test
  $ passerelle mutate pos --only pos/report-start -- npm test
  $ passerelle mutate pos --webhook http://localhost:3000/hook -- npm test
  $ passerelle mutate pos --output mutate.html --output "$GITHUB_STEP_SUMMARY" -- npm test
${environmentText}
${runPlaceText}

What is unnoticed is accepted by an entry with the behaviour, a reason and an expiry in "unnoticed" of ${besideName}.
Exit codes: 0 nothing is unnoticed that is not accepted, 1 some is, 2 could not run, or stopped.`;

export function mutateCommand(): Command {
  return withReports(
    withRuns(remindOfDashes(new Command('mutate')))
      .summary('find the documented behaviours whose loss your tests do not notice')
      .description(
        'Runs a command, such as your test suite, against stubs that no longer do what the API documents promise, one behaviour at a time: a filter is ignored, a signature is wrong, a refusal is missing. It names each behaviour without which no test fails, and the test to write.',
      )
      .option(
        '--timeout <seconds>',
        'the limit of one run (default: three times the slowest plain run and 5 s; 15 minutes for the plain runs)',
        seconds,
      )
      .option('--only <list>', 'only these behaviours, or those of these operations and events (default: all)', commaSeparated)
      .option('--list', 'list the behaviours and what takes them away, and run nothing', false),
    'unnoticed behaviours',
  )
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = (options.list ? suiteWords : commandWords)(words, command);
      checkOnly(apis, options.only);
      process.exitCode = options.list ? list(apis, options) : await run(apis, suite, options);
    });
}

function checkOnly(apis: readonly ServiceName[], only: readonly string[] | undefined): void {
  if (only?.length === 0) throw new CouldNotRun('--only: name a behaviour, an operation or an event, such as pos/report-start.');
  const known = [...new Set(apis.flatMap((api) => mutated[api]).flatMap(namesOf))];
  const wrong = only?.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new CouldNotRun(
    `--only: "${wrong}" is no behaviour, operation or event of ${apis.join(' and ')}. ${didYouMean(wrong, known)}passerelle mutate ${apis.join(' ')} --list lists the behaviours.`,
  );
}

function list(apis: readonly ServiceName[], { only = [], json }: Options): number {
  const named = apis
    .flatMap((api) => mutated[api])
    .filter((one) => only.length === 0 || namesOf(one).some((name) => only.includes(name)));
  const general = named.filter(({ id, on }) => only.length > 0 && on.length > 1 && !only.includes(id)).map(({ id }) => id);
  const behaviours = named.map(({ id, also, document, alternatives }) => ({
    id,
    document,
    also,
    mutants: alternatives.map((one) => ({ assume: assumedText(id, one.id), text: one.text, test: one.test })),
  }));
  const missing = only.length === 0 ? notTakenAway(apis) : [];
  if (json) say(JSON.stringify({ behaviours, not_taken_away: missing }, null, 2));
  else {
    for (const { document, mutants } of behaviours) {
      for (const { assume, text } of mutants) say(`${assume}  ${text}`);
      say(`  ${document}`);
    }
    if (general.length > 0) say(`Behaviours of several operations or events are included: ${general.join(', ')}.`);
    for (const { id, reason } of missing) say(`${id}  is not taken away: ${reason}`);
  }
  return exitCodes.ok;
}

async function run(apis: ServiceName[], suite: string[], options: Options): Promise<number> {
  const { only = [], assumptions } = options;
  const forms = { report: mutateReport, suite: mutateSuite, annotations: mutateAnnotations, unaccepted };
  return tellSearch(options, forms, async ({ onLine, ...given }) =>
    runMutate({
      ...runsOf(apis, suite, options),
      ...given,
      only,
      accepted: (await readBeside(assumptions))?.unnoticed ?? [],
      onProgress: (step) => onLine(lineOf(step)),
    }),
  );
}

export function lineOf({ runs, left, leftMs, unnoticed }: MutateProgress): string {
  if (left === undefined) return `mutate: ${count(runs, 'plain run')} passed`;
  const open = left > 0 ? `, about ${count(left, 'behaviour')} left (${duration(leftMs)})` : '';
  return `mutate: ${count(runs, 'run')}${open}; ${unnoticed} unnoticed`;
}
