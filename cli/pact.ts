import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assumptionsReport } from '../contracts/tools/assumptions/report.ts';
import { type Comparison, comparePacts } from '../contracts/tools/comparison/compare.ts';
import { comparisonReport } from '../contracts/tools/comparison/report.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { requireParts } from '../contracts/tools/parts.ts';
import { type Judged, judge, pactText } from '../contracts/tools/recording/judge.ts';
import { pactOf } from '../contracts/tools/recording/pact.ts';
import type { Recording } from '../contracts/tools/recording/recorded.ts';
import { count, plain } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { readPacts } from '../contracts/tools/verification/sources.ts';
import { type ServiceName, serviceNames, services } from '../spec/documents/services.ts';
import { openRehearsingGateway } from '../stubs/assume/rehearsing-gateway.ts';
import { notCalled } from '../stubs/suite/environment.ts';
import type { Stub } from '../stubs/types.ts';
import { exitCodes, onStandardOutput, say } from './command.ts';
import { environmentText, envOption, type Given, variablesOf } from './env-option.ts';
import { isFolder } from './output.ts';
import { recordStub } from './stub-recording.ts';
import { runSuite } from './suite.ts';
import { suiteWords } from './suite-words.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

interface Options {
  consumer: string;
  env: Given[];
  from?: string;
  output: string;
  seed: string;
  webhook: Webhook[];
}

const examples = `
Examples:
  $ passerelle pact pos --consumer till -- npm test
  $ passerelle pact cohesion --consumer dashboard --env 'API_BASE={url}/api/v1' --env 'API_TOKEN={token}' -- npx vitest run
  $ passerelle pact pos --consumer till --from calls.har
${environmentText}

Exit codes: 0 the pact was written and is green, 1 it was written and is not, 2 the command failed, or there was nothing to write.`;

export function pactCommand(): Command {
  return new Command('pact')
    .summary('write a pact from what a test suite does')
    .description(
      'Starts a stub, runs a command that calls it, such as a test suite, and writes a pact from the calls; or takes calls that were recorded elsewhere. Then it verifies and compares the pact, and checks its assumptions.',
    )
    .argument('[words...]', `the API that is called (${serviceNames.join(' or ')}), then -- and the command that calls it`)
    .addOption(new Option('--consumer <name>', 'the name of your program in the pact').argParser(named).makeOptionMandatory())
    .addOption(envOption())
    .option('--output <file>', 'the file of the pact, which is replaced and ends in .json, or its folder', 'pacts')
    .option('--seed <file>', "the stub's data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(webhookOption("your receiver's address, which gets the webhooks of the stub"))
    .option('--from <file>', 'take the calls of this HTTP Archive (.har) instead of running a command')
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const { apis, suite } = suiteWords(words, command);
      const [provider = 'pos', ...others] = apis;
      if (others.length > 0)
        throw new CouldNotRun(`A pact is with one API. Run the command once for each of ${apis.join(' and ')}.`);
      await checkPlace(options.output);
      requireParts('passerelle pact', ['@pact-foundation/pact-core', '@pactflow/openapi-pact-comparator']);
      checkSource(suite, options, command);
      const { from } = options;
      const recorded = from === undefined ? recordSuite(provider, suite, options) : readArchive(provider, from);
      process.exitCode = await write(await recorded, options);
    });
}

function named(value: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(value)) return value;
  throw new InvalidArgumentError('It must be a name such as till: letters, digits, spaces, and . _ -');
}

/** The options that only a command after `--` makes use of. */
const ofCommand = ['env', 'seed', 'webhook'];

/** Throws `CouldNotRun` unless there is a command or a file to take calls from, and for options that have no effect with it. */
function checkSource(words: readonly string[], { from }: Options, command: Command): void {
  if (words.length === 0 && from === undefined)
    throw new CouldNotRun('There is nothing to record: name a command after --, or a file with --from.');
  if (words.length > 0 && from !== undefined)
    throw new CouldNotRun('A command and --from exclude each other: name a command after --, or a file with --from.');
  const given = ofCommand.find((name) => command.getOptionValueSource(name) === 'cli');
  const flag = command.options.find((option) => option.attributeName() === given)?.long;
  if (from !== undefined && given !== undefined)
    throw new CouldNotRun(`${flag} has no effect with --from: it needs a command after --.`);
}

async function readArchive(provider: ServiceName, file: string): Promise<Recording> {
  const { readHarFile } = await import('../contracts/tools/recording/har.ts');
  return readHarFile(file, provider);
}

async function recordSuite(
  provider: ServiceName,
  words: readonly string[],
  { env, seed, webhook: webhooks }: Options,
): Promise<Recording> {
  const { startStub } = await import('../stubs/stub.ts');
  const variables = variablesOf([provider], env);
  const start = () => startStub(provider, { seed, webhooks });
  const recording = await runSuite({ apis: [provider], words, start, variables }, async ({ stubs, run }) => {
    const [stub] = stubs as [Stub];
    const recorder = recordStub(stub);
    const { code, endedBy } = await run();
    const how = code === null ? `was ended by ${endedBy}` : `failed with exit code ${code}`;
    if (code !== 0)
      throw new CouldNotRun(`${words[0]} ${how}, so no pact was written: a pact says what a suite that passes relies on.`);
    await stub.settled();
    return recorder.end();
  });
  if (recording.exchanges.length + recording.leftOut.length === 0) throw new CouldNotRun(notCalled(words[0] ?? '', [provider]));
  return recording;
}

/** Judges the pact of a recording and writes it. Returns the exit code. */
async function write(recording: Recording, { consumer, output }: Options): Promise<number> {
  const { service: provider } = recording;
  const made = pactOf(recording, consumer);
  const { interactions: all } = made.pact;
  const judged = all.length === 0 ? undefined : await judge(made.pact, openRehearsingGateway);
  const leftOut = leftOutText([...made.leftOut, ...(judged?.leftOut ?? [])]);
  if (judged === undefined || judged.pact.interactions.length === 0)
    throw new CouldNotRun(`No call can become an interaction, so no pact was written.\n${leftOut}`);
  const file = isJson(output) ? output : join(output, `${consumer}-${provider}.json`.replaceAll(' ', '-'));
  await save(file, pactText(judged.pact));
  const { title } = services[provider];
  const counted = count(judged.pact.interactions.length, 'interaction');
  say(`${file}: ${counted} of ${consumer} with ${title}, from ${count(recording.exchanges.length, 'call')}.\n${leftOut}`);
  const { pacts, close } = await readPacts([file]);
  try {
    return report(judged, await comparePacts({ provider, pacts }));
  } finally {
    await close();
  }
}

const isJson = (file: string) => /\.json$/i.test(file);

/** Throws `CouldNotRun` if no pact can be written to this place. It is called before the suite runs. */
async function checkPlace(output: string): Promise<void> {
  const isThere = await isFolder(output);
  const isNewFolder = extname(output) === '' && !existsSync(output);
  if (isJson(output) ? isThere : !isThere && !isNewFolder)
    throw new CouldNotRun(`--output: ${output} must be a folder, or the name of a file that ends in .json.`);
}

async function save(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new CouldNotRun(`${file} could not be written: ${(error as Error).message}.`);
  }
}

/** Lists what is not in the pact, each line once, with the number of calls. */
function leftOutText(lines: readonly string[]): string {
  const all = [...Map.groupBy(lines, (line) => line)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([line, { length }]) => (length === 1 ? line : `${line} (${length} times)`));
  return all.length === 0 ? '' : ['Left out:', ...all.map((line) => `  ${plain(line)}`), ''].join('\n');
}

/** Says that the pact is green, or what is not. Interactions that are not verified are not in it. Returns the exit code. */
function report({ pact, notJudged, unfinished }: Judged, comparison: Comparison): number {
  const look = onStandardOutput();
  const isCompatible = comparison.findings.every(({ severity }) => severity !== 'error');
  for (const line of unfinished) say(plain(line));
  if (!isCompatible) say(textReport(comparisonReport(comparison), look));
  if (notJudged.length > 0) {
    const judged = pact.interactions.length - notJudged.length;
    say(textReport(assumptionsReport({ findings: [], notJudged, judged }), look));
  }
  if (unfinished.length > 0 || !isCompatible || notJudged.length > 0) return exitCodes.failed;
  say('Verified, compared with the OpenAPI document, and its assumptions are declared: all green.');
  return exitCodes.ok;
}
