import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { htmlReport } from '../contracts/tools/reports/html.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { count as countOf, duration } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { today } from '../contracts/tools/today.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { readOwnJson } from '../gateway/base/own-files.ts';
import { readAcceptances } from '../probe/accepted.ts';
import { checkOnly } from '../probe/candidates.ts';
import { commandRunner, isApart } from '../probe/command.ts';
import { baseOf, readObservedFiles } from '../probe/observed.ts';
import { type Progress, runProbe, Stopped } from '../probe/probe.ts';
import { probeReport, probeSuite, unaccepted, withoutSecrets } from '../probe/report/report.ts';
import { contentOf, openState } from '../probe/state.ts';
import type { ProbeReport } from '../probe/types.ts';
import { commaSeparated, exitCodes, onStandardOutput, say, tell } from './command.ts';
import { envOption, type Given, variablesOf } from './env-option.ts';
import { checkOutputs, outputOption, type Reports, writeOutputs } from './output.ts';
import { suiteWords } from './suite-words.ts';
import { seconds } from './verify-options.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

interface Options {
  env: Given[];
  seed: string;
  webhook: Webhook[];
  jobs?: number;
  orderSeed?: string;
  timeout?: number;
  only?: string[];
  observed: string[];
  fresh: boolean;
  assumptions?: string;
  junitFile?: string;
  json: boolean;
  output: string[];
}

const examples = `
Examples:
  $ passerelle probe pos -- npm test
  $ passerelle probe pos --env SHOP_API={url}/api/v1 -- pytest
  $ passerelle probe cohesion --junit-file 'junit-{run}.xml' -- npx vitest run --reporter=junit --outputFile='junit-{run}.xml'
  $ passerelle probe pos cohesion --env pos=TILL_URL --env cohesion=DASHBOARD_URL -- npm test
  $ passerelle probe pos --only pos.sale-status,pos.sale-response -- npm test
  $ passerelle probe pos --only harmless -- npm test
  $ passerelle probe pos --observed observed.json -- npm test
  $ passerelle probe pos --output probe.html --output "$GITHUB_STEP_SUMMARY" -- npm test

The command finds each stub in its environment:
  pos       PASSERELLE_POS_URL, PASSERELLE_POS_API_KEY, PASSERELLE_POS_API_SECRET
  cohesion  PASSERELLE_COHESION_URL, PASSERELLE_COHESION_TOKEN, and one token for each ability: PASSERELLE_COHESION_TOKEN_READ_STATS
  both      PASSERELLE_URL (of the first API), PASSERELLE_OPERATOR_TOKEN, PASSERELLE_SIGNING_SECRET
  PASSERELLE_PROBE_RUN is 0 for one of the runs at the same time, 1 for the next: for ports and files. So is {run} in the command.

The tests that fail are read from --junit-file, TAP, or the lines of pytest, Vitest, Jest, PHPUnit, Go and node --test.
A dependency is accepted by an entry with its gap, a reason and an expiry in ${besideName}.
Questions that only the service's owner can answer, such as another header for the token, are listed apart.
Exit codes: 0 no new dependency, whatever questions there are, 1 dependencies found that are not accepted, 2 could not run, or stopped.`;

export function probeCommand(): Command {
  return new Command('probe')
    .summary('find the choices of ours on which your tests depend')
    .description(
      'Runs a command, such as your test suite, against stubs that answer under the other choices that the API documents allow. It names each choice without which the command fails, and what to write instead.',
    )
    .argument('[words...]', `the APIs that the command calls (${serviceNames.join(', ')}), then -- and the command`)
    .addOption(envOption())
    .option('--seed <file>', "the stubs' data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(webhookOption("your receiver's address, which gets the webhooks of the stubs"))
    .option('--junit-file <path>', 'the JUnit file that the command writes; {run} in it keeps runs at the same time apart')
    .option('--jobs <number>', 'runs at the same time (default: the number of cores)', jobs)
    .option('--order-seed <text>', 'makes the order of the runs, to repeat a probe (default: random)')
    .option(
      '--timeout <seconds>',
      'the limit of one run (default: three times the slowest plain run and 5 s; 15 minutes for the plain runs)',
      seconds,
    )
    .option(
      '--only <list>',
      'ask only about these gaps, alternatives as GAP=ALTERNATIVE, or a group: pos, cohesion, harmless; separated by commas',
      commaSeparated,
    )
    .addOption(
      new Option('--observed <file>', 'ask only about what is still open in a file of passerelle observe, and play what it shows')
        .default([], 'none')
        .argParser((value: string, before: string[]) => [...before, value]),
    )
    .option('--fresh', 'do not go on with a probe that was stopped', false)
    .option('--assumptions <file>', `the file of accepted dependencies (default: ${besideName}, if it is there)`)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'html', 'md']))
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = suiteWords(words, command);
      if (suite.length === 0)
        throw new CouldNotRun('Write the command that runs your tests after --: passerelle probe pos -- npm test.');
      process.exitCode = await run(apis, suite, options);
    });
}

function jobs(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

async function run(apis: ServiceName[], suite: string[], options: Options): Promise<number> {
  if (options.only?.length === 0) throw new CouldNotRun('--only: name a gap, such as pos.sale-status.');
  checkOnly(apis, options.only, '--only');
  await checkOutputs(options.output);
  const { count, notes } = jobsOf(options);
  const acceptances = await readAcceptances(options.assumptions);
  const observed = await readObservedFiles(apis, options.observed);
  const key = { ...keyOf(apis, suite, options), base: baseOf(observed) };
  const state = openState(key, options.orderSeed ?? String(randomInt(2 ** 31)), options);
  if (state.resumedFrom !== undefined)
    tell(
      `passerelle: goes on with the probe of ${state.resumedFrom}: ${countOf(state.size, 'run')} under alternatives ${state.size === 1 ? 'is' : 'are'} known. The plain runs are made again. --fresh begins anew.`,
    );
  const stop = stopping();
  const progress = openProgress();
  try {
    const report = await runProbe({
      apis,
      acceptances,
      observed,
      today: today(),
      jobs: count,
      seed: state.seed,
      known: state,
      only: options.only,
      signal: stop.signal,
      onProgress: progress.step,
      runner: commandRunner(suite, options.junitFile),
      stubs: Object.fromEntries(apis.map((api) => [api, { seed: options.seed, webhooks: options.webhook }])),
      variables: variablesOf(apis, options.env),
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    });
    progress.end();
    state.remove();
    report.notes.unshift(...notes);
    await write(report, options);
    return unaccepted(report.dependencies).length > 0 ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    progress.end();
    if (error instanceof Stopped) {
      await write(error.report, options);
    } else if (!stop.signal.aborted) throw error;
    else tell('passerelle: stopped before anything was found.');
    return exitCodes.couldNotRun;
  } finally {
    stop.end();
  }
}

/** Everything on which the outcomes of runs depend, and that is known before them. */
function keyOf(apis: ServiceName[], suite: string[], { seed, webhook, env, junitFile, orderSeed, timeout }: Options) {
  const { version } = readOwnJson(new URL('../package.json', import.meta.url)) as { version: string };
  return {
    version,
    files: suite.map(contentOf),
    folder: process.cwd(),
    apis,
    suite,
    seed,
    webhook,
    env,
    junitFile,
    orderSeed,
    timeout,
  };
}

/** The command that writes one JUnit file cannot run several times at once. */
function jobsOf({ jobs, junitFile }: Options): { count: number; notes: string[] } {
  const isShared = junitFile !== undefined && !isApart(junitFile);
  if (!isShared) return { count: jobs ?? availableParallelism(), notes: [] };
  const fix = `Write {run} in --junit-file and in the command, such as ${junitFile.replace(/(\.\w+)?$/, '-{run}$1')}`;
  if (jobs !== undefined && jobs > 1)
    throw new CouldNotRun(`--jobs ${jobs} needs a JUnit file for each of the runs at the same time. ${fix}.`);
  return {
    count: 1,
    notes: jobs === 1 ? [] : [`One ran at a time, because all wrote ${junitFile}. ${fix}, to run several at once.`],
  };
}

/** Ends the children at Ctrl-C. */
function stopping() {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('stopped'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  return {
    signal: controller.signal,
    end() {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    },
  };
}

/** Shows progress on standard error: a line that changes on a terminal, otherwise a line from time to time. */
function openProgress() {
  const onTerminal = process.stderr.isTTY === true;
  let last = 0;
  let isSearching = false;
  const lineOf = ({ phase, runs, left, leftMs, dependencies, questions }: Progress) =>
    phase === 'plain'
      ? `probe: ${countOf(runs, 'plain run')} passed`
      : `probe: ${countOf(runs, 'run')}, about ${left} left (${duration(leftMs)}); found: ${dependencies === 1 ? '1 dependency' : `${dependencies} dependencies`}, ${countOf(questions, 'question')}`;
  return {
    step(progress: Progress) {
      const isFirst = !isSearching && progress.phase === 'search';
      isSearching ||= isFirst;
      if (isFirst && progress.leftMs > longMs)
        tell(
          `passerelle: about ${progress.left} runs follow, which take ${duration(progress.leftMs)} if few dependencies are found. Ctrl-C shows what is known, and the same command goes on from there for a day. --only asks about less.`,
        );
      if (onTerminal) return void process.stderr.write(`\r\u001b[K${lineOf(progress)}`);
      const now = performance.now();
      if (last !== 0 && !isFirst && now - last < quietMs) return;
      last = now;
      tell(lineOf(progress));
    },
    end: () => void (onTerminal && process.stderr.write('\r\u001b[K')),
  };
}

/** Between two lines of progress where no terminal shows them. */
const quietMs = 10_000;

/** What takes longer is announced. */
const longMs = 120_000;

async function write(unsafe: ProbeReport, { json, output }: Options): Promise<void> {
  const report = withoutSecrets(unsafe);
  const reports: Reports = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    xml: () => junitReport([probeSuite(report)]),
    html: () => htmlReport([probeReport(report, true)]),
    md: () => markdownReport(probeReport(report)),
  };
  say(json ? await reports.json() : textReport(probeReport(report), onStandardOutput()));
  await writeOutputs(output, reports);
}
