import { Argument, Command, Option } from 'commander';
import { withBrokerPacts } from '../contracts/tools/broker/pacts.ts';
import { parseSelectors } from '../contracts/tools/broker/selectors.ts';
import { readBroker } from '../contracts/tools/broker/settings.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { jsonReport } from '../contracts/tools/reports/json.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { annotations } from '../contracts/tools/verification/reports/annotations.ts';
import { verificationReport } from '../contracts/tools/verification/reports/report.ts';
import type { Verifiable, Verification } from '../contracts/tools/verification/result.ts';
import { type VerifyInput, verify } from '../contracts/tools/verification/run.ts';
import type { PactSource } from '../contracts/tools/verification/sources.ts';
import { serviceNames } from '../spec/documents/services.ts';
import { address, annotate, exitCodes, headedAddress, oneHeader, oneOf, onStandardOutput, say } from './command.ts';
import { checkOutputs, outputOption, type Reports, writeOutputs } from './output.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { openProgress } from './progress.ts';
import { withRejections } from './receiver-rejections.ts';
import {
  checkEffects,
  checkSelection,
  isFromBroker,
  type VerifyOptions as Options,
  seconds,
  wantedBy,
} from './verify-options.ts';

const examples = `
Examples:
  $ passerelle verify
  $ passerelle verify --pact ./pacts --output verification.xml --output "$GITHUB_STEP_SUMMARY"
  $ passerelle verify pos --pact https://example.org/till.json
  $ passerelle verify cohesion --broker https://broker.example.org --selectors main,deployed
  $ passerelle verify pos --pact ./pacts --base-url http://localhost:3000 --state-url http://localhost:3000/states
  $ passerelle verify --pact ./pacts --description 'the inventory' --consumer till
  $ passerelle verify webhook-receiver --base-url http://localhost:9000/hook --secret "$SECRET"

Provider states: passerelle states
Exit codes: 0 verified, 1 mismatches, 2 no mismatch, but something could not be done: nothing was verified, a file is not a
pact, the provider or its states could not be reached, or a teardown failed.`;

export function verifyCommand(): Command {
  const command = new Command('verify')
    .summary('verify pacts')
    .description(
      'Verifies HTTP and message pacts in one run. It starts the reference implementation in memory, or uses the provider at --base-url.',
    )
    .addArgument(
      oneOf(
        new Argument('[provider]', 'the provider to verify (default: the one that each pact names)'),
        [...serviceNames, 'webhook-receiver'],
        'a provider',
      ),
    )
    .addOption(pactsOption());
  return withBroker(command)
    .option(
      '--base-url <url>',
      'the provider to verify, with its API at the root (default: the reference implementation)',
      headedAddress,
    )
    .option('--state-url <url>', 'sets up the states of --base-url: gets {action, state, params} by POST', address)
    .option(
      '--header <header>',
      "add this header, such as 'Name: value', to each request to --base-url, in place of the pact's; may be repeated",
      oneHeader,
      {},
    )
    .option('--timeout <seconds>', 'the deadline for each request to --base-url and --state-url (default: 30)', seconds)
    .option('--consumer <name>', 'verify the pacts of this consumer only')
    .option('--description <text>', 'verify only interactions whose description contains this text')
    .option('--state <text>', 'verify only interactions with a state whose name contains this text')
    .addOption(new Option('--secret <secret>', "a receiver's signing secret").env('PASSERELLE_SIGNING_SECRET'))
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'md']))
    .addHelpText('after', examples)
    .action(async (provider: Verifiable | undefined, given: Options, command: Command) => {
      const options = { ...given, ...(provider && { provider }) };
      checkEffects(options, command);
      await checkOutputs(options.output);
      process.exitCode = await run(options, command);
    });
}

/** Adds where pacts come from and where results go, other than files. */
const withBroker = (command: Command): Command =>
  command
    .option(
      '--broker <url>',
      'take the pacts from this Pact Broker (credentials: PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and _PASSWORD)',
      address,
    )
    .option('--selectors <list>', 'the pacts to take: main, deployed, branch:NAME, ... or JSON (default: main,deployed)')
    .option(
      '--provider-name <name>',
      "the provider's name at the broker or in the pacts; pacts with other providers are skipped (default: that of the argument)",
    )
    .option('--publish', 'record the results of the provider at --base-url at the broker; needs --provider-version', false)
    .option(
      '--publish-reference',
      'record the results of the reference implementation, as if it were the provider; needs --provider-version',
      false,
    )
    .option('--provider-version <version>', "the provider's version, such as its commit hash")
    .option('--provider-branch <branch>', "the provider's branch; failures of pacts that are pending for it do not count")
    .option('--include-wip <date>', 'also take pacts of other branches since this date (YYYY-MM-DD); needs --provider-branch')
    .option('--build-url <url>', 'a link to this build, stored with the results', address);

async function run(options: Options, command: Command): Promise<number> {
  const verifications = isFromBroker(options) ? [await verifyBroker(options)] : await verifyFiles(options, command);
  await report(verifications, options);
  const interactions = verifications.flatMap((one) => one.interactions);
  if (interactions.some(({ outcome, couldNotRun }) => outcome === 'failed' && !couldNotRun)) return exitCodes.failed;
  const isWhole =
    verifications.every(({ unfinished }) => unfinished.length === 0) && !interactions.some(({ couldNotRun }) => couldNotRun);
  return isWhole ? exitCodes.ok : exitCodes.couldNotRun;
}

const verifyFiles = (options: Options, command: Command): Promise<Verification[]> =>
  withPacts(options.pact, { ...options, command }, (groups, unusable) => verifyGroups(options, groups, unusable), {
    isPartial: true,
  });

/** Verifies the pacts of each provider. The first verification names the files that could not be used. */
async function verifyGroups(options: Options, groups: [Verifiable, PactSource[]][], unusable: readonly string[]) {
  const verifications: Verification[] = [];
  if (options.baseUrl !== undefined && groups.length > 1)
    throw new CouldNotRun(
      `--base-url is the address of one API, but there are pacts of ${groups.map(([name]) => name).join(' and ')}: name the one: passerelle verify ${groups[0]?.[0]} --base-url URL.`,
    );
  const only = wantedBy(options);
  checkSelection(
    groups.flatMap(([, from]) => from),
    options,
  );
  for (const [provider, from] of groups) {
    const all = from.flatMap((pact) => pact.interactions.map((one) => ({ pact, one })));
    const total = all.filter(({ pact, one }) => only(pact, one)).length;
    if (total > 0 || all.length === 0)
      verifications.push(await verifyOne({ provider, from, at: targetOf(options), only }, total));
  }
  verifications[0]?.unfinished.unshift(...unusable);
  return verifications;
}

async function verifyBroker(options: Options): Promise<Verification> {
  const { provider, providerVersion, providerBranch, includeWip, buildUrl } = options;
  if (options.pact) throw new CouldNotRun('--pact and --broker exclude each other: pass one of them.');
  if (!provider)
    throw new CouldNotRun('--broker takes the pacts of one provider. Name it first: passerelle verify pos --broker URL.');
  const source = {
    broker: readBroker(process.env, options.broker),
    provider: options.providerName ?? provider,
    publish: options.publish || options.publishReference,
    selectors: options.selectors === undefined ? undefined : parseSelectors(options.selectors),
    providerVersion,
    providerBranch,
    includeWipSince: includeWip,
    buildUrl,
  };
  return withBrokerPacts(source, async (pacts, unusable) => {
    const [verification] = await verifyGroups(options, [[provider, pacts]], unusable);
    return verification as Verification;
  });
}

async function verifyOne(input: VerifyInput, total: number): Promise<Verification> {
  const progress = openProgress(input.provider, total);
  try {
    const { verification } = await verify({ ...input, onInteraction: (_, place) => progress.step(place) });
    return input.at && 'secret' in input.at ? await withRejections(verification, input.at) : verification;
  } finally {
    progress.end();
  }
}

function targetOf({ provider, baseUrl, stateUrl, secret, header, timeout }: Options): VerifyInput['at'] {
  const calling = { headers: header, timeoutMs: timeout === undefined ? undefined : timeout * 1000 };
  if (provider !== 'webhook-receiver') return baseUrl === undefined ? undefined : { baseUrl, stateUrl, ...calling };
  if (baseUrl !== undefined && secret !== undefined) return { url: baseUrl, secret, ...calling };
  throw new CouldNotRun('verify webhook-receiver needs --base-url and --secret.');
}

async function report(verifications: readonly Verification[], { json, output }: Options): Promise<void> {
  const found = verifications.map(verificationReport);
  const reports: Reports = {
    json: () => jsonReport({ verifications }),
    xml: () => junitReport(found),
    md: () => found.map(markdownReport).join('\n'),
  };
  say(json ? await reports.json() : found.map((one) => textReport(one, onStandardOutput())).join('\n'));
  annotate(() => verifications.flatMap(annotations));
  await writeOutputs(output, reports);
}
