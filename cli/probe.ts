import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { checkOnly } from '../contracts/tools/probe/candidates.ts';
import { runCommand } from '../contracts/tools/probe/command.ts';
import { runProbe } from '../contracts/tools/probe/probe.ts';
import { probeAnnotations, probeReport, unaccepted } from '../contracts/tools/probe/report.ts';
import type { ProbeReport } from '../contracts/tools/probe/types.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { count as countOf } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { shellWords } from '../contracts/tools/verification/reports/curl.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { annotate, commaSeparated, exitCodes, onStandardOutput, say, tell } from './command.ts';
import { environmentText, envOption, type Given, variablesOf } from './env-option.ts';
import { checkOutputs, outputOption, type Reports, writeOutputs } from './output.ts';
import { commandWords, remindOfDashes } from './suite-words.ts';
import { seconds } from './verify-options.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

interface Options {
  env: Given[];
  seed: string;
  webhook: Webhook[];
  jobs?: number;
  timeout?: number;
  only?: string[];
  assumptions?: string;
  json: boolean;
  output: string[];
}

const examples = `
Examples:
  $ passerelle probe pos -- npm test
  $ passerelle probe pos --env SHOP_API={url}/api/v1 -- pytest
  $ passerelle probe pos cohesion --env pos=TILL_URL --env cohesion=DASHBOARD_URL -- npm test
  $ passerelle probe pos --only pos.sale-status,pos.sale-response -- npm test
  $ passerelle probe pos --only harmless -- npm test
  $ passerelle probe pos --output probe.xml --output "$GITHUB_STEP_SUMMARY" -- npm test
${environmentText}
  PASSERELLE_PROBE_RUN is 0 for one of the runs at the same time, 1 for the next: for ports and files.

The tests that fail are read from TAP, or the lines of pytest, Vitest, Jest, PHPUnit, Go and node --test.
A dependency is accepted by an entry with its gap, a reason and an expiry in ${besideName}.
Questions that only the service's owner can answer, such as another header for the token, are listed apart.
Exit codes: 0 no new dependency, whatever questions there are, 1 dependencies found that are not accepted, 2 could not run, or stopped.`;

export const probeCommand = (): Command =>
  remindOfDashes(new Command('probe'))
    .summary('find the choices of ours on which your tests depend')
    .description(
      'Runs a command, such as your test suite, against stubs that answer under the other choices that the API documents allow. It names each choice without which the command fails, and what to write instead.',
    )
    .argument('[words...]', `the APIs that the command calls (${serviceNames.join(', ')}), then -- and the command`)
    .addOption(envOption())
    .option('--seed <file>', "the stubs' data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(webhookOption("your receiver's address, which gets the webhooks of the stubs"))
    .option('--jobs <number>', 'runs at the same time (default: the number of cores)', jobs)
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
    .option('--assumptions <file>', `the file of accepted dependencies (default: ${besideName}, if it is there)`)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'md']))
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = commandWords(words, command);
      process.exitCode = await run(apis, suite, options);
    });

/** Parses a whole number above 0. */
function jobs(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

async function run(apis: ServiceName[], suite: string[], options: Options): Promise<number> {
  const { only, seed, webhook, env, timeout } = options;
  if (only?.length === 0) throw new CouldNotRun('--only: name a gap, such as pos.sale-status.');
  checkOnly(apis, only, '--only');
  await checkOutputs(options.output);
  // Ctrl-C ends the child processes, and shows what is known.
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('stopped'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const progress = openProgress();
  try {
    const report = await runProbe({
      apis,
      ...(only && { only }),
      ...(options.assumptions !== undefined && { assumptions: options.assumptions }),
      jobs: options.jobs ?? availableParallelism(),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      command: shellWords(suite),
      run: (context) => runCommand(suite, context),
      optionsOf: () => ({ seed, webhooks: webhook }),
      variables: variablesOf(apis, env),
      signal: stop.signal,
      onProgress({ runs, waiting, dependencies, questions }) {
        const found = dependencies.length === 1 ? '1 dependency' : `${dependencies.length} dependencies`;
        const asked = countOf(questions.length, 'question');
        progress.step(`probe: ${countOf(runs, 'run')} ended, ${waiting} to go or more; found: ${found}, ${asked}`);
      },
    });
    progress.end();
    await write(report, options);
    if (report.stopped) return exitCodes.couldNotRun;
    return unaccepted(report.dependencies).length > 0 ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    progress.end();
    if (!stop.signal.aborted) throw error;
    tell('passerelle: stopped before anything was found.');
    return exitCodes.couldNotRun;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** The time between two lines of progress if the output is not a terminal. */
const quietMs = 10_000;

/** Shows progress on standard error: a line that changes on a terminal, otherwise a line from time to time. */
function openProgress() {
  const onTerminal = process.stderr.isTTY === true;
  let last = 0;
  return {
    step(line: string) {
      if (onTerminal) return void process.stderr.write(`\r\u001b[K${line}`);
      const now = performance.now();
      if (last !== 0 && now - last < quietMs) return;
      last = now;
      tell(line);
    },
    end: () => void (onTerminal && process.stderr.write('\r\u001b[K')),
  };
}

async function write(report: ProbeReport, { json, output }: Options): Promise<void> {
  const shown = probeReport(report);
  const reports: Reports = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    xml: () => junitReport([shown]),
    md: () => markdownReport(shown),
  };
  say(json ? await reports.json() : textReport(shown, onStandardOutput()));
  annotate(() => probeAnnotations(report));
  await writeOutputs(output, reports);
}
