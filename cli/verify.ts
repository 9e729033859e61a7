import { Command, Option } from 'commander';
import { serviceNames } from '../contracts/documents/services.ts';
import { parseSelectors } from '../contracts/tools/broker/selectors.ts';
import { readBroker } from '../contracts/tools/broker/settings.ts';
import { brokerSource } from '../contracts/tools/broker/verifier-options.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { jsonReport } from '../contracts/tools/verification/reports/json.ts';
import { junitReport } from '../contracts/tools/verification/reports/junit.ts';
import { markdownReport } from '../contracts/tools/verification/reports/markdown.ts';
import { textReport } from '../contracts/tools/verification/reports/text.ts';
import type { Verifiable, Verification } from '../contracts/tools/verification/result.ts';
import { type VerifyInput, verify } from '../contracts/tools/verification/run.ts';
import { address, exitCodes, onStandardOutput, say, tell, writeReport } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { openProgress } from './progress.ts';
import { type Publication, publishReport } from './publish-report.ts';

interface Options {
  provider?: Verifiable;
  pact?: string[];
  broker?: string;
  selectors?: string;
  providerName?: string;
  publish: boolean;
  providerVersion?: string;
  providerBranch?: string;
  includeWip?: string;
  buildUrl?: string;
  baseUrl?: string;
  stateUrl?: string;
  secret?: string;
  json?: string;
  junit?: string;
  markdown?: string;
  publishTo?: string;
  token?: string;
}

const examples = `
Examples:
  $ passerelle verify
  $ passerelle verify --pact ./pacts --junit verification.xml --markdown "$GITHUB_STEP_SUMMARY"
  $ passerelle verify --provider pos --pact https://example.org/till.json
  $ passerelle verify --provider cohesion --broker https://broker.example.org --selectors main,deployed
  $ passerelle verify --provider pos --pact ./pacts --base-url http://localhost:3000 --state-url http://localhost:3000/states
  $ passerelle verify --provider webhook-receiver --base-url http://localhost:9000/hook --secret "$SECRET"
  $ passerelle verify --publish-to http://localhost:8080 --token "$OPERATOR"   # the gateway's console shows the report

Provider states: contracts/tools/verification/STATES.md
Exit codes: 0 verified, 1 mismatches, 2 could not run, or verified but the report could not be published.`;

export function verifyCommand(): Command {
  return new Command('verify')
    .summary('verify pacts')
    .description(
      'Verifies HTTP and message pacts in one run. It starts the reference implementation in memory, or uses the provider at --base-url.',
    )
    .addOption(
      new Option('--provider <name>', 'the provider to verify (default: the one that each pact names)').choices([
        ...serviceNames,
        'webhook-receiver',
      ]),
    )
    .addOption(pactsOption())
    .option(
      '--broker <url>',
      'take the pacts from this Pact Broker (credentials: PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and _PASSWORD)',
      address,
    )
    .option('--selectors <list>', 'the pacts to take: main, deployed, branch:NAME, ... or JSON (default: main,deployed)')
    .option('--provider-name <name>', "the provider's name at the broker (default: the value of --provider)")
    .option('--publish', 'record the results at the broker; needs --provider-version', false)
    .option('--provider-version <version>', "the provider's version, such as its commit hash")
    .option('--provider-branch <branch>', "the provider's branch; failures of pacts that are pending for it do not count")
    .option('--include-wip <date>', 'also take pacts of other branches since this date (YYYY-MM-DD); needs --provider-branch')
    .option('--build-url <url>', 'a link to this build, stored with the results', address)
    .option(
      '--base-url <url>',
      'the provider to verify, with its API at the root (default: the reference implementation)',
      address,
    )
    .option('--state-url <url>', 'sets up the states of --base-url: gets {action, state, params} by POST', address)
    .addOption(new Option('--secret <secret>', "a receiver's signing secret").env('PASSERELLE_SIGNING_SECRET'))
    .option('--json <file>', 'write the results as JSON to this file; - writes to standard output')
    .option('--junit <file>', 'write the results as JUnit XML to this file')
    .option('--markdown <file>', 'append a summary to this file, such as $GITHUB_STEP_SUMMARY')
    .option('--publish-to <url>', 'also send the report to this gateway, for its console', address)
    .addOption(
      new Option('--token <token>', "the operator's token of that gateway, which it prints at its start").env(
        'PASSERELLE_OPERATOR_TOKEN',
      ),
    )
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      process.exitCode = await run(options);
    });
}

async function run(options: Options): Promise<number> {
  const publication = publicationOf(options);
  const fromBroker = options.broker !== undefined || options.selectors !== undefined;
  const verifications = fromBroker ? [await verifyBroker(options)] : await verifyFiles(options);
  await report(verifications, options);
  const failed = verifications.some(({ interactions }) => interactions.some(({ outcome }) => outcome === 'failed'));
  const unpublished = publication ? await publishReport(verifications, publication) : null;
  if (unpublished !== null) tell(`passerelle: ${unpublished}`);
  if (failed) return exitCodes.failed;
  return unpublished === null ? exitCodes.ok : exitCodes.couldNotRun;
}

/** Checks `--publish-to` before the verification, so that a missing token is reported at once. */
function publicationOf({ publishTo: to, token }: Options): Publication | undefined {
  if (to === undefined) return undefined;
  if (token !== undefined) return { to, token };
  throw new CouldNotRun("--publish-to needs the gateway's operator token: pass --token or set PASSERELLE_OPERATOR_TOKEN.");
}

const verifyFiles = (options: Options): Promise<Verification[]> =>
  withPacts(options.pact, options.provider, async (groups) => {
    const verifications: Verification[] = [];
    for (const [provider, from] of groups) {
      const total = from.reduce((sum, { interactions }) => sum + interactions.length, 0);
      verifications.push(await verifyOne({ provider, from, at: targetOf(options) }, total));
    }
    return verifications;
  });

async function verifyBroker(options: Options): Promise<Verification> {
  const { provider, publish, providerVersion, providerBranch, includeWip, buildUrl } = options;
  if (options.pact) throw new CouldNotRun('--pact and --broker exclude each other: pass one of them.');
  if (!provider) throw new CouldNotRun('--broker needs --provider: it takes the pacts of one provider.');
  const from = brokerSource({
    broker: readBroker(process.env, options.broker),
    provider: options.providerName ?? provider,
    publish,
    selectors: options.selectors === undefined ? undefined : parseSelectors(options.selectors),
    providerVersion,
    providerBranch,
    includeWipSince: includeWip,
    buildUrl,
  });
  return verifyOne({ provider, from, at: targetOf(options) });
}

async function verifyOne(input: VerifyInput, total?: number): Promise<Verification> {
  const progress = openProgress(`${input.provider}: `, 'interaction', total);
  try {
    return (await verify({ ...input, onInteraction: (_, place) => progress.step(place) })).verification;
  } finally {
    progress.end();
  }
}

function targetOf({ provider, baseUrl, stateUrl, secret }: Options): VerifyInput['at'] {
  if (provider !== 'webhook-receiver') return baseUrl === undefined ? undefined : { baseUrl, stateUrl };
  if (baseUrl !== undefined && secret !== undefined) return { url: baseUrl, secret };
  throw new CouldNotRun('--provider webhook-receiver needs --base-url and --secret.');
}

async function report(verifications: readonly Verification[], { json, junit, markdown }: Options): Promise<void> {
  const files = [
    { name: json, flag: 'w', write: () => jsonReport(verifications) },
    { name: junit, flag: 'w', write: () => junitReport(verifications) },
    { name: markdown, flag: 'a', write: () => verifications.map(markdownReport).join('\n') },
  ];
  if (!files.some(({ name }) => name === '-')) say(verifications.map((one) => textReport(one, onStandardOutput())).join('\n'));
  for (const { name, flag, write } of files) {
    if (name === '-') say(write());
    else if (name !== undefined) await writeReport(name, write(), flag);
  }
}
