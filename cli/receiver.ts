import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { checkJunit, checkText } from '../stubs/receiver-check/report.ts';
import { checkReceiver } from '../stubs/receiver-check/run.ts';
import { address, exitCodes, onStandardOutput, say, writeReport } from './command.ts';

interface Options {
  secret?: string;
  rotatedSecret?: string;
  event?: { type: string; data: unknown };
  signatureHeader: string;
  timeout: number;
  slowAfter: number;
  json?: string;
  junit?: string;
}

const examples = `
Examples:
  $ passerelle receiver check http://localhost:3000/hook --secret "$SECRET"
  $ passerelle receiver check http://localhost:3000/hook --secret "$SECRET" --rotated-secret "$NEW" --junit receiver.xml
  $ passerelle receiver check https://hooks.example.org/pos --json - --event '{"event":"sale.completed","data":{"total":1}}'

The receiver gets events that look genuine: check one of a test environment.
Exit codes: 0 it does all that it must, 1 it does not, 2 it could not be reached.`;

export function receiverCommand(): Command {
  return new Command('receiver').description('What a receiver of webhooks is to do.').addCommand(checkCommand());
}

function checkCommand(): Command {
  return new Command('check')
    .summary("a conformance run against a partner's receiver")
    .description(
      'Sends a receiver what the gateway would send, and what it should refuse; says what passed, what did not, and why it matters.',
    )
    .argument('<url>', "the receiver's address", address)
    .addOption(new Option('--secret <secret>', "the receiver's signing secret").env('PASSERELLE_SIGNING_SECRET'))
    .option('--rotated-secret <secret>', 'a second secret that the receiver was given, for a rotation')
    .option('--event <json>', 'an event that it knows, as {"event": ..., "data": ...}; by default a sale.completed', event)
    .option('--signature-header <name>', 'the name of X-SERVICE-Signature, where the gateway has another', 'X-SERVICE-Signature')
    .option('--timeout <seconds>', 'the deadline of each request', seconds, 15)
    .option('--slow-after <seconds>', 'an answer that takes this long is warned of', seconds, 3)
    .option('--json <file>', 'write the results as JSON; - is standard output')
    .option('--junit <file>', 'write them as JUnit XML')
    .addHelpText('after', examples)
    .action(async (url: string, options: Options) => {
      process.exitCode = await check(url, options);
    });
}

function seconds(value: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It is a number of seconds.');
}

function event(value: string): { type: string; data: unknown } {
  try {
    const { event: type, data } = JSON.parse(value) as { event: unknown; data: unknown };
    if (typeof type === 'string' && data !== null && typeof data === 'object') return { type, data };
  } catch {
    // What follows says what it should be.
  }
  throw new InvalidArgumentError('It is JSON such as {"event": "sale.completed", "data": {}}.');
}

async function check(url: string, { secret, rotatedSecret, ...options }: Options): Promise<number> {
  if (secret === undefined)
    throw new CouldNotRun('A receiver is checked with its signing secret: say --secret, or set PASSERELLE_SIGNING_SECRET.');
  const checked = await checkReceiver({
    url,
    secret: usable(secret),
    rotatedSecret: rotatedSecret === undefined ? undefined : usable(rotatedSecret),
    signatureHeader: options.signatureHeader,
    timeoutMs: Math.max(1, options.timeout * 1000),
    slowAfterMs: options.slowAfter * 1000,
    ...(options.event ? { event: options.event } : {}),
  });
  if (options.json === '-') say(JSON.stringify(checked, null, 2));
  else say(checkText(checked, onStandardOutput()));
  if (options.json !== undefined && options.json !== '-')
    await writeReport(options.json, `${JSON.stringify(checked, null, 2)}\n`);
  if (options.junit !== undefined) await writeReport(options.junit, checkJunit(checked));
  return checked.results.some(({ outcome }) => outcome === 'failed') ? exitCodes.failed : exitCodes.ok;
}

/** The gateway makes secrets in this form only; another one would sign with another key than the receiver has. */
function usable(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw new CouldNotRun('The secret is not whsec_ and base64: give it as it was shown, without white space around it.');
}
