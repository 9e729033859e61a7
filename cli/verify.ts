import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { CouldNotRun } from '../contracts/verification/pact.ts';
import { junitReport } from '../contracts/verification/reports/junit.ts';
import { markdownReport } from '../contracts/verification/reports/markdown.ts';
import { textReport } from '../contracts/verification/reports/text.ts';
import type { Provider, Verification } from '../contracts/verification/result.ts';
import { verify } from '../contracts/verification/run.ts';
import { type PactSource, providerOf, readPacts } from '../contracts/verification/sources.ts';
import { address, coloured, exitCodes, providerName, say, several, tell } from './command.ts';

interface Options {
  provider?: Provider;
  pact?: string[];
  baseUrl?: string;
  stateUrl?: string;
  json?: string;
  junit?: string;
  markdown?: string;
}

/** The pacts of the project: what is verified where none is named. */
const ownPacts = fileURLToPath(new URL('../contracts/pacts', import.meta.url));

export function verifyCommand(): Command {
  return new Command('verify')
    .summary('verify pacts, ours or yours')
    .description(
      'Verifies pacts, HTTP and messages in one run, against the reference implementation, which is started for it on memory, or against another address.',
    )
    .option('--provider <name>', 'pos or cohesion; by default what each pact names', providerName)
    .option('--pact <place...>', 'files, folders or addresses of pacts; by default those of Passerelle itself', several)
    .option('--base-url <url>', 'the provider to verify, its API at the root; by default the reference implementation', address)
    .option('--state-url <url>', 'what sets the states up at --base-url: takes {action, state, params} as POST', address)
    .option('--json <file>', 'write the results as JSON; - is standard output')
    .option('--junit <file>', 'write them as JUnit XML')
    .option('--markdown <file>', 'write a summary for a CI page, at the end of the file if it exists')
    .addHelpText(
      'after',
      `
Examples:
  $ passerelle verify
  $ passerelle verify --pact ./pacts --junit verification.xml --markdown "$GITHUB_STEP_SUMMARY"
  $ passerelle verify --provider pos --pact https://example.org/till.json
  $ passerelle verify --provider pos --pact ./pacts --base-url http://localhost:3000 --state-url http://localhost:3000/states

Provider states: contracts/verification/STATES.md. Exit codes: 0 verified, 1 mismatches, 2 could not run.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options);
    });
}

async function run(options: Options): Promise<number> {
  const { pacts, close } = await readPacts(options.pact ?? [ownPacts]);
  try {
    const verifications: Verification[] = [];
    for (const [provider, from] of byProvider(pacts, options.provider)) {
      verifications.push(await verifyOne(provider, from, options));
    }
    await report(verifications, options);
    const failed = verifications.some(({ interactions }) => interactions.some(({ outcome }) => outcome === 'failed'));
    return failed ? exitCodes.failed : exitCodes.ok;
  } finally {
    await close();
  }
}

async function verifyOne(provider: Provider, from: PactSource[], { baseUrl, stateUrl }: Options): Promise<Verification> {
  const total = from.reduce((sum, { interactions }) => sum + interactions.length, 0);
  const progress = openProgress(`${provider}: `, total);
  const input = { provider, from, onInteraction: progress.step };
  try {
    return (await verify({ ...input, ...(baseUrl === undefined ? {} : { address: { baseUrl, stateUrl } }) })).verification;
  } finally {
    progress.end();
  }
}

/** Each provider with its pacts. A pact of another name for its provider belongs to the one that was asked for. */
function byProvider(pacts: readonly PactSource[], asked: Provider | undefined): Map<Provider, PactSource[]> {
  const known = pacts.map((pact) => ({ pact, provider: providerOf(pact.provider) ?? asked }));
  const unknown = known.find(({ provider }) => provider === undefined)?.pact;
  if (unknown) {
    throw new CouldNotRun(
      `${unknown.name} is a pact with "${unknown.provider}", which is neither pos nor cohesion: say with --provider which one it is.`,
    );
  }
  const wanted = known.filter(({ provider }) => asked === undefined || provider === asked);
  if (wanted.length === 0)
    throw new CouldNotRun(`None of the pacts is with ${asked}: ${pacts.map(({ name }) => name).join(', ')}.`);
  return new Map(
    [...Map.groupBy(wanted, ({ provider }) => provider as Provider)].map(([provider, group]) => [
      provider,
      group.map(({ pact }) => pact),
    ]),
  );
}

async function report(verifications: readonly Verification[], { json, junit, markdown }: Options): Promise<void> {
  const text = verifications
    .map((one) => textReport(one, { width: process.stdout.columns ?? 100, colors: coloured(process.stdout) }))
    .join('\n');
  const files = [
    { name: json, flag: 'w', write: () => jsonReport(verifications) },
    { name: junit, flag: 'w', write: () => junitReport(verifications) },
    { name: markdown, flag: 'a', write: () => verifications.map(markdownReport).join('\n') },
  ];
  if (!files.some(({ name }) => name === '-')) say(text);
  for (const { name, flag, write } of files) {
    if (name === '-') say(write());
    else if (name !== undefined) await writeFile(name, write(), { flag });
  }
}

/** One line that counts, on a terminal; nothing elsewhere, where the report says all. */
function openProgress(label: string, total: number) {
  const onTerminal = process.stderr.isTTY === true;
  if (!onTerminal) tell(`${label}${total} interactions`);
  const write = (text: string) => onTerminal && process.stderr.write(`\r\u001b[K${text}`);
  return {
    step: (_: unknown, place: number) => write(`${label}${place} of ${total}`),
    end: () => write(''),
  };
}
