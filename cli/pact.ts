import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type ServiceName, services } from '../contracts/documents/services.ts';
import { assumptionsText, overSpecified } from '../contracts/tools/assumptions/report.ts';
import { comparisonText } from '../contracts/tools/comparison/report.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { requirePart } from '../contracts/tools/parts.ts';
import { pactOf } from '../contracts/tools/recording/pact.ts';
import type { RecordedCall, Recording } from '../contracts/tools/recording/recorded.ts';
import { type Judgement, judgePacts, pactText, type Settled, settle } from '../contracts/tools/recording/settle.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import { count, plain } from '../contracts/tools/verification/reports/plain.ts';
import { textReport } from '../contracts/tools/verification/reports/text.ts';
import { readPacts } from '../contracts/tools/verification/sources.ts';
import { environmentOf, type Variable } from '../stubs/environment.ts';
import { exitCodes, onStandardOutput, providerOption, say, tell } from './command.ts';
import { type RecordedOptions, readRecorded, withRecordedOptions } from './recorded-sources.ts';
import { recordStub } from './stub-recording.ts';
import { runSuite } from './suite.ts';

interface Options extends RecordedOptions {
  consumer: string;
  provider: ServiceName;
  env: Variable[];
  out: string;
  promiseAll: boolean;
  seed: string;
  webhook: string[];
}

/** What was recorded, and what cannot become an interaction whatever the pact's rules are. */
export interface Source {
  recording: Recording;
  leftOut: { call: RecordedCall; reason: string }[];
}

const examples = `
Examples:
  $ passerelle pact --consumer till -- npm test
  $ passerelle pact --consumer dashboard --provider cohesion --env 'API_BASE={url}/api/v1' --env 'API_TOKEN={token}' -- npx vitest run
  $ passerelle pact --consumer till --from calls.har --host pos.example
  $ passerelle pact --consumer till --gateway https://gateway.example --caller 'Boutique du Plateau' --since 7d

The command finds the stub in its environment:
  pos       PASSERELLE_POS_URL, PASSERELLE_POS_API_KEY, PASSERELLE_POS_API_SECRET
  cohesion  PASSERELLE_COHESION_URL, PASSERELLE_COHESION_TOKEN, and one token for each ability: PASSERELLE_COHESION_TOKEN_READ_STATS
  both      PASSERELLE_URL, PASSERELLE_OPERATOR_TOKEN, PASSERELLE_SIGNING_SECRET

Exit codes: 0 the pact was written and is green, 1 it was written and is not, 2 the command failed, or there was nothing to write.`;

export function pactCommand(): Command {
  const command = new Command('pact')
    .summary('write a pact from what a test suite does')
    .description(
      'Starts a stub, runs a command that calls it, such as a test suite, and writes a pact from the calls; or takes calls that were recorded elsewhere. Then it verifies and compares the pact, and checks its assumptions.',
    )
    .argument('[command...]', 'the command and its arguments, after --')
    .addOption(new Option('--consumer <name>', 'the name of your program in the pact').argParser(named).makeOptionMandatory())
    .addOption(providerOption('--provider <name>', 'the API that it calls').default('pos' satisfies ServiceName))
    .addOption(
      new Option(
        '--env <NAME[=value]>',
        "also pass the stub's address under this name, or a value with {url}, {api_key}, {api_secret}, {token}, {signing_secret} in it",
      )
        .default([], 'none')
        .argParser(variable),
    )
    .option('--out <place>', 'the folder of the pact, or its file if it ends in .json; the file is replaced', 'pacts')
    .option('--promise-all', 'also promise what the API documents do not show: every field, and exact statuses', false)
    .option('--seed <file>', "the stub's data: demo, empty, or a JSON file with your own", 'demo')
    .addOption(
      new Option('--webhook <url>', "your receiver's address, which gets all webhooks of the stub")
        .default([], 'none')
        .argParser((value: string, before: string[]) => [...before, value]),
    )
    .addHelpText('after', examples)
    .passThroughOptions()
    .action(async (words: string[], options: Options) => {
      requirePart('@pact-foundation/pact-core');
      requirePart('@pactflow/openapi-pact-comparator');
      const taken = await readRecorded(words, options, command);
      for (const note of taken?.notes ?? []) tell(note);
      const source = taken ? { recording: taken.recording, leftOut: [] } : await recordSuite(words, options);
      process.exitCode = await write(source, options);
    });
  return withRecordedOptions(command);
}

function named(value: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(value)) return value;
  throw new InvalidArgumentError('It must be a name such as till: letters, digits, spaces, and . _ -');
}

function variable(text: string, before: Variable[]): Variable[] {
  const [, name, value = '{url}'] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must look like SHOP_URL or SHOP_URL={url}/api/v1.');
  return [...before, { name, value }];
}

async function recordSuite(words: readonly string[], { provider, env, seed, webhook }: Options): Promise<Source> {
  const { startStub } = await import('../stubs/stub.ts');
  await using stub = await startStub(provider, { seed, webhooks: webhook.map((url) => ({ url })) });
  const environment = environmentOf(stub, env);
  const recorder = recordStub(stub);
  await runSuite(words, environment);
  await stub.settled();
  const { recording, faulted } = await recorder.end();
  if (recording.calls.length + faulted.length === 0)
    throw new CouldNotRun(
      `${words[0]} did not call the stub. Its address is in PASSERELLE_${provider.toUpperCase()}_URL; --env NAME passes it under another name.`,
    );
  return { recording, leftOut: faulted.map((call) => ({ call, reason: 'a fault of the stub answered it' })) };
}

/** Writes the pact of a recording and judges it. Returns the exit code. */
async function write(source: Source, { consumer, provider, out, promiseAll }: Options): Promise<number> {
  const written = pactOf(source.recording, { consumer, provider, promiseAll });
  const settled = await settle(written.pact, { provider, promiseAll });
  const leftOut = leftOutText([...source.leftOut, ...written.leftOut], [...settled.notRecreated, ...written.leftOutWebhooks]);
  const { interactions } = settled.pact;
  if (interactions.length === 0) throw new CouldNotRun(`No call can become an interaction, so no pact was written.\n${leftOut}`);
  const file = /\.json$/i.test(out) ? out : join(out, `${consumer}-${provider}.json`.replaceAll(' ', '-'));
  await save(file, pactText(settled.pact));
  const from = `${count(source.recording.calls.length, 'call')}`;
  say(
    `${file}: ${count(interactions.length, 'interaction')} of ${consumer} with ${services[provider].title}, from ${from}.\n${leftOut}`,
  );
  const { pacts, close } = await readPacts([file]);
  try {
    return report(await judgePacts(provider, pacts));
  } finally {
    await close();
  }
}

async function save(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new CouldNotRun(`${file} could not be written: ${(error as Error).message}.`);
  }
}

/** Lists what is not in the pact, each reason once, with the number of calls. `others` have words of their own. */
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
  if (!isVerified) say(textReport(verification, look));
  if (!isCompatible) say(comparisonText(comparison, look));
  if (!isDeclared) say(assumptionsText(assessment.findings, assessment));
  if (!(isVerified && isCompatible && isDeclared)) return exitCodes.failed;
  say('Verified, compared with the OpenAPI document, and its assumptions are declared: all green.');
  return exitCodes.ok;
}
