import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { commandRunner, isApart } from '../contracts/tools/probe/command.ts';
import { today } from '../contracts/tools/today.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { shellWords } from '../contracts/tools/verification/reports/curl.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { tell } from './command.ts';
import { envOption, type Given, variablesOf } from './env-option.ts';
import { outputOption } from './output.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

/** The values of the options that all these commands have. */
export interface RepeatedGiven {
  env: Given[];
  seed: string;
  webhook: Webhook[];
  jobs?: number;
  timeout?: number;
  only?: string[];
  assumptions?: string;
  junitFile?: string;
  json: boolean;
  output: string[];
}

/** Adds the words and options that say what runs, against which stubs, and how many at once. */
export const withRuns = (command: Command): Command =>
  command
    .argument('[words...]', `the APIs that the command calls (${serviceNames.join(', ')}), then -- and the command`)
    .addOption(envOption())
    .option('--seed <file>', "the stubs' data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(webhookOption("your receiver's address, which gets the webhooks of the stubs"))
    .option('--junit-file <path>', 'the JUnit file that the command writes; {run} in it keeps runs at the same time apart')
    .option('--jobs <number>', 'runs at the same time (default: the number of cores)', jobs);

/** Adds the options of the report. `accepted`: the name of what the file accepts, in the plural. */
export const withReports = (command: Command, accepted: string): Command =>
  command
    .option('--assumptions <file>', `the file of accepted ${accepted} (default: ${besideName}, if it is there)`)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'md']));

/** The part about the runs in the help texts of these commands. */
export const runPlaceText = `  PASSERELLE_PROBE_RUN is 0 for one of the runs at the same time, 1 for the next: for ports and files. So is {run} in the command.

The tests that fail are read from --junit-file, TAP, or the lines of pytest, Vitest, Jest, PHPUnit, Go and node --test.`;

/** Parses a whole number above 0. */
export function jobs(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

/** The command that writes one JUnit file cannot run several times at once. */
export function jobsOf({ jobs, junitFile }: { jobs?: number; junitFile?: string }): { count: number; notes: string[] } {
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

/** The options about the runs, in the form that every search takes. */
export const runsOf = (apis: readonly ServiceName[], suite: readonly string[], given: RepeatedGiven) => ({
  apis,
  today: today(),
  runner: commandRunner(suite, given.junitFile),
  stubs: Object.fromEntries(apis.map((api) => [api, { seed: given.seed, webhooks: given.webhook }])),
  variables: variablesOf(apis, given.env),
  timeoutMs: given.timeout === undefined ? undefined : given.timeout * 1000,
  runOptions: shellWords([
    ...given.env.flatMap(({ api, variable: { name, value } }) => ['--env', [api, name, value].filter(Boolean).join('=')]),
    ...(given.seed === 'demo' ? [] : ['--seed', given.seed]),
    ...given.webhook.flatMap(({ url, events, owner }) => [
      '--webhook',
      [url, [...(events ?? []), ...(owner ? [`owner=${owner}`] : [])].join()].filter(Boolean).join('='),
    ]),
  ]),
});

/** Returns a signal that aborts at Ctrl-C, so that the child processes are ended. */
export function stopping(): { signal: AbortSignal; end(): void } {
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

/** The time between two lines of progress if the output is not a terminal. */
const quietMs = 10_000;

/** Shows progress on standard error: a line that changes on a terminal, otherwise a line from time to time. */
export function openProgress() {
  const onTerminal = process.stderr.isTTY === true;
  let last = 0;
  return {
    /** `isNow`: shows the line in any case. */
    step(line: string, isNow = false) {
      if (onTerminal) return void process.stderr.write(`\r\u001b[K${line}`);
      const now = performance.now();
      if (last !== 0 && !isNow && now - last < quietMs) return;
      last = now;
      tell(line);
    },
    end: () => void (onTerminal && process.stderr.write('\r\u001b[K')),
  };
}
