import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assumptionsReport, overSpecified } from '../contracts/tools/assumptions/report.ts';
import { comparisonReport } from '../contracts/tools/comparison/report.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { requireParts } from '../contracts/tools/parts.ts';
import { openRehearsingGateway } from '../contracts/tools/probe/rehearsing-gateway.ts';
import { pactOf } from '../contracts/tools/recording/pact.ts';
import type { RecordedCall, Recording } from '../contracts/tools/recording/recorded.ts';
import { type Judgement, judgePacts, pactText, type Settled, settle } from '../contracts/tools/recording/settle.ts';
import { count, plain } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import { verificationReport } from '../contracts/tools/verification/reports/report.ts';
import { readPacts } from '../contracts/tools/verification/sources.ts';
import { type ServiceName, serviceNames, services } from '../spec/documents/services.ts';
import { notCalled } from '../stubs/suite/environment.ts';
import type { Stub } from '../stubs/types.ts';
import { exitCodes, onStandardOutput, say, tell } from './command.ts';
import { environmentText, envOption, type Given, variablesOf } from './env-option.ts';
import { isFolder } from './output.ts';
import { type RecordedOptions, readRecorded, withRecordedOptions } from './recorded-sources.ts';
import { recordStub } from './stub-recording.ts';
import { runSuite } from './suite.ts';
import { suiteWords } from './suite-words.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

interface Options extends RecordedOptions {
  consumer: string;
  env: Given[];
  output: string;
  promiseAll: boolean;
  seed: string;
  webhook: Webhook[];
}

/** The recorded calls, and those that can never become an interaction. */
export interface Source {
  recording: Recording;
  leftOut: { call: RecordedCall; reason: string }[];
}

const examples = `
Examples:
  $ passerelle pact pos --consumer till -- npm test
  $ passerelle pact cohesion --consumer dashboard --env 'API_BASE={url}/api/v1' --env 'API_TOKEN={token}' -- npx vitest run
  $ passerelle pact pos --consumer till --from calls.har --from-host pos.example
${environmentText}

Exit codes: 0 the pact was written and is green, 1 it was written and is not, 2 the command failed, or there was nothing to write.`;

export function pactCommand(): Command {
  const command = new Command('pact')
    .summary('write a pact from what a test suite does')
    .description(
      'Starts a stub, runs a command that calls it, such as a test suite, and writes a pact from the calls; or takes calls that were recorded elsewhere. Then it verifies and compares the pact, and checks its assumptions.',
    )
    .argument('[words...]', `the API that is called (${serviceNames.join(' or ')}), then -- and the command that calls it`)
    .addOption(new Option('--consumer <name>', 'the name of your program in the pact').argParser(named).makeOptionMandatory())
    .addOption(envOption())
    .option('--output <file>', 'the file of the pact, which is replaced and ends in .json, or its folder', 'pacts')
    .option('--promise-all', 'also promise what the API documents do not show: every field, and exact statuses', false)
    .option('--seed <file>', "the stub's data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(webhookOption("your receiver's address, which gets the webhooks of the stub"))
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options) => {
      const { apis, suite } = suiteWords(words, command);
      const [provider = 'pos', ...others] = apis;
      if (others.length > 0)
        throw new CouldNotRun(`A pact is with one API. Run the command once for each of ${apis.join(' and ')}.`);
      await checkPlace(options.output);
      requireParts('passerelle pact', ['@pact-foundation/pact-core', '@pactflow/openapi-pact-comparator']);
      const taken = await readRecorded(suite, { ...options, provider }, command);
      for (const note of taken?.notes ?? []) tell(note);
      const source = taken ? { recording: taken.recording, leftOut: [] } : await recordSuite(provider, suite, options);
      process.exitCode = await write(source, provider, options);
    });
  return withRecordedOptions(command);
}

function named(value: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(value)) return value;
  throw new InvalidArgumentError('It must be a name such as till: letters, digits, spaces, and . _ -');
}

async function recordSuite(
  provider: ServiceName,
  words: readonly string[],
  { env, seed, webhook: webhooks }: Options,
): Promise<Source> {
  const { startStub } = await import('../stubs/stub.ts');
  const variables = variablesOf([provider], env);
  const start = () => startStub(provider, { seed, webhooks });
  const { recording, faulted } = await runSuite({ apis: [provider], words, start, variables }, async ({ stubs, run }) => {
    const [stub] = stubs as [Stub];
    const recorder = recordStub(stub);
    const { code, endedBy } = await run();
    const how = code === null ? `was ended by ${endedBy}` : `failed with exit code ${code}`;
    if (code !== 0)
      throw new CouldNotRun(`${words[0]} ${how}, so no pact was written: a pact says what a suite that passes relies on.`);
    await stub.settled();
    return recorder.end();
  });
  if (recording.calls.length + faulted.length === 0) throw new CouldNotRun(notCalled(words[0] ?? '', [provider]));
  return { recording, leftOut: faulted.map((call) => ({ call, reason: 'a fault of the stub answered it' })) };
}

/** Writes the pact of a recording and judges it. Returns the exit code. */
async function write(source: Source, provider: ServiceName, { consumer, output, promiseAll }: Options): Promise<number> {
  const written = pactOf(source.recording, { consumer, provider, promiseAll });
  const settled = await settle(written.pact, { provider, promiseAll, reference: openRehearsingGateway });
  const leftOut = leftOutText([...source.leftOut, ...written.leftOut], [...settled.notRecreated, ...written.leftOutWebhooks]);
  const { interactions } = settled.pact;
  if (interactions.length === 0) throw new CouldNotRun(`No call can become an interaction, so no pact was written.\n${leftOut}`);
  const file = isJson(output) ? output : join(output, `${consumer}-${provider}.json`.replaceAll(' ', '-'));
  await save(file, pactText(settled.pact));
  const from = `${count(source.recording.calls.length, 'call')}`;
  say(
    `${file}: ${count(interactions.length, 'interaction')} of ${consumer} with ${services[provider].title}, from ${from}.\n${leftOut}`,
  );
  const { pacts, close } = await readPacts([file]);
  try {
    return report(await judgePacts(provider, pacts, openRehearsingGateway));
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

/** Lists what is not in the pact, each reason once, with the number of calls. `others` already have sentences. */
function leftOutText(calls: readonly { call: RecordedCall; reason: string }[], others: Settled['notRecreated']): string {
  const lines = calls.map(({ call, reason }) => `${call.method} ${shownPath(call)} (${call.status}): ${reason}`);
  const counted = [...Map.groupBy(lines, (line) => line)].sort(([one], [other]) => (one < other ? -1 : 1));
  const all = [
    ...counted.map(([line, { length }]) => (length === 1 ? line : `${line} (${length} times)`)),
    ...others.map(({ description, reason }) => `${description}: ${reason}`),
  ];
  return all.length === 0 ? '' : ['Left out:', ...all.map((line) => `  ${plain(line)}`), ''].join('\n');
}

const shownPath = (call: RecordedCall) => new Hider(secretsIn(call)).text(call.url.split(/[?#]/)[0] ?? '');

/** Says that the pact is green, or what is not. Returns the exit code. */
function report({ verification, comparison, assessment }: Judgement): number {
  const look = onStandardOutput();
  const isVerified =
    verification.interactions.every(({ outcome }) => outcome === 'verified') && verification.unfinished.length === 0;
  const isCompatible = comparison.findings.every(({ severity }) => severity !== 'error');
  const isDeclared = overSpecified(assessment.findings).length === 0 && assessment.notJudged.length === 0;
  if (!isVerified) say(textReport(verificationReport(verification), look));
  if (!isCompatible) say(textReport(comparisonReport(comparison), look));
  if (!isDeclared) say(textReport(assumptionsReport(assessment), look));
  if (!(isVerified && isCompatible && isDeclared)) return exitCodes.failed;
  say('Verified, compared with the OpenAPI document, and its assumptions are declared: all green.');
  return exitCodes.ok;
}
