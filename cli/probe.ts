import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { checkOnly } from '../contracts/tools/probe/candidates.ts';
import { baseOf, readObservedFiles } from '../contracts/tools/probe/observed.ts';
import { type Progress, runProbe, Stopped } from '../contracts/tools/probe/probe.ts';
import { probeAnnotations } from '../contracts/tools/probe/report/annotations.ts';
import { probeReport, probeSuite, unaccepted, withoutSecrets } from '../contracts/tools/probe/report/report.ts';
import { contentOf, openState } from '../contracts/tools/probe/state.ts';
import { filesInJunit } from '../contracts/tools/probe/tests.ts';
import type { ProbeReport } from '../contracts/tools/probe/types.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { count as countOf, duration } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { readBeside } from '../contracts/tools/verification/sources.ts';
import { readVersion } from '../gateway/base/own-files.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { annotate, collected, commaSeparated, exitCodes, onStandardOutput, say, tell } from './command.ts';
import { environmentText } from './env-option.ts';
import { checkOutputs, type Reports, writeOutputs } from './output.ts';
import {
  jobsOf,
  openProgress,
  type RepeatedGiven,
  runPlaceText,
  runsOf,
  stopping,
  withReports,
  withRuns,
} from './repeated-suite.ts';
import { commandWords, remindOfDashes } from './suite-words.ts';
import { seconds } from './verify-options.ts';

interface Options extends RepeatedGiven {
  orderSeed?: string;
  observed: string[];
  fresh: boolean;
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
  $ passerelle probe pos --output probe.xml --output "$GITHUB_STEP_SUMMARY" -- npm test
${environmentText}
${runPlaceText}
A dependency is accepted by an entry with its gap, a reason and an expiry in ${besideName}.
Questions that only the service's owner can answer, such as another header for the token, are listed apart.
Exit codes: 0 no new dependency, whatever questions there are, 1 dependencies found that are not accepted, 2 could not run, or stopped.`;

export const probeCommand = (): Command =>
  withReports(
    withRuns(remindOfDashes(new Command('probe')))
      .summary('find the choices of ours on which your tests depend')
      .description(
        'Runs a command, such as your test suite, against stubs that answer under the other choices that the API documents allow. It names each choice without which the command fails, and what to write instead.',
      )
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
        new Option(
          '--observed <file>',
          'ask only about what is still open in a file of passerelle observe, and play what it shows',
        )
          .default([], 'none')
          .argParser(collected),
      )
      .option('--fresh', 'do not go on with a probe that was stopped', false),
    'dependencies',
  )
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = commandWords(words, command);
      process.exitCode = await run(apis, suite, options);
    });

async function run(apis: ServiceName[], suite: string[], options: Options): Promise<number> {
  if (options.only?.length === 0) throw new CouldNotRun('--only: name a gap, such as pos.sale-status.');
  checkOnly(apis, options.only, '--only');
  await checkOutputs(options.output);
  const { count, notes } = jobsOf(options);
  const acceptances = (await readBeside(options.assumptions))?.assumptions ?? [];
  const observed = await readObservedFiles(apis, options.observed);
  const key = { ...keyOf(apis, suite, options), base: baseOf(observed) };
  const state = openState(key, options.orderSeed ?? String(randomInt(2 ** 31)), options);
  if (state.resumedFrom !== undefined)
    tell(
      `passerelle: goes on with the probe of ${state.resumedFrom}: ${countOf(state.size, 'run')} under alternatives ${state.size === 1 ? 'is' : 'are'} known. The plain runs are made again. --fresh begins anew.`,
    );
  const stop = stopping();
  const progress = openProgress();
  let isSearching = false;
  try {
    const report = await runProbe({
      ...runsOf(apis, suite, options),
      acceptances,
      observed,
      jobs: count,
      seed: state.seed,
      known: state,
      only: options.only,
      signal: stop.signal,
      onProgress(step) {
        const isFirst = !isSearching && step.phase === 'search';
        isSearching ||= isFirst;
        if (isFirst && step.leftMs > longMs)
          tell(
            `passerelle: about ${step.left} runs follow, which take ${duration(step.leftMs)} if few dependencies are found. Ctrl-C shows what is known, and the same command goes on from there for a day. --only asks about less.`,
          );
        progress.step(lineOf(step), isFirst);
      },
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

/** Everything that the outcomes of runs depend on and that is known before they start. */
function keyOf(apis: ServiceName[], suite: string[], { seed, webhook, env, junitFile, orderSeed, timeout }: Options) {
  return {
    version: readVersion(),
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

export const lineOf = ({ phase, runs, left, leftMs, dependencies, questions }: Progress): string =>
  phase === 'plain'
    ? `probe: ${countOf(runs, 'plain run')} passed`
    : `probe: ${countOf(runs, 'run')}, about ${left} left (${duration(leftMs)}); found: ${dependencies === 1 ? '1 dependency' : `${dependencies} dependencies`}, ${countOf(questions, 'question')}`;

/** A search that takes longer is announced. */
const longMs = 120_000;

async function write(unsafe: ProbeReport, { json, output, junitFile }: Options): Promise<void> {
  const report = withoutSecrets(unsafe);
  const reports: Reports = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    xml: () => junitReport([probeSuite(report)]),
    md: () => markdownReport(probeReport(report)),
  };
  say(json ? await reports.json() : textReport(probeReport(report), onStandardOutput()));
  // Every run has the same tests.
  const xml = junitFile && (await readFile(junitFile.replaceAll('{run}', '0'), 'utf8').catch(() => ''));
  annotate(() => probeAnnotations(report, filesInJunit(xml ?? '')));
  await writeOutputs(output, reports);
}
