import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { exampleEvent } from '../stubs/receiver-check/example.ts';
import { checkJunit, checkText } from '../stubs/receiver-check/report.ts';
import { checkReceiver } from '../stubs/receiver-check/run.ts';
import { exitCodes, headedAddress, oneHeader, onStandardOutput, say } from './command.ts';
import { checkOutputs, outputOption, writeOutputs } from './output.ts';

interface Options {
  secret?: string;
  rotatedSecret?: string;
  event?: ReturnType<typeof event>;
  header: Record<string, string>;
  signatureHeader: string;
  timeout: number;
  slowAfter: number;
  strict: boolean;
  json: boolean;
  output: string[];
}

const examples = `
Examples:
  $ passerelle receiver check http://localhost:3000/hook --secret "$SECRET"
  $ passerelle receiver check http://localhost:3000/hook --secret "$SECRET" --rotated-secret "$NEW" --output receiver.xml
  $ passerelle receiver check http://localhost:3000/hook --secret "$SECRET" --event intervention.validated
  $ passerelle receiver check https://hooks.example.org/pos --json --event '{"event":"sale.completed","data":{"total":1}}'

The receiver gets events with valid signatures: use one of a test environment.
Exit codes: 0 it does what the API documents require, 1 it does not, 2 could not run. With --strict, recommendations count too.`;

export const receiverCommand = (): Command =>
  new Command('receiver')
    .summary('check that a receiver does what it must')
    .description('Checks receivers of webhooks.')
    .addCommand(checkCommand());

const checkCommand = (): Command =>
  new Command('check')
    .summary("check a partner's receiver")
    .description(
      'Sends a receiver valid webhooks, and requests that it must reject. Reports which checks passed, which failed, and why each matters.',
    )
    .argument('<url>', "the receiver's URL", headedAddress)
    .addOption(new Option('--secret <secret>', "the receiver's signing secret").env('PASSERELLE_SIGNING_SECRET'))
    .option('--rotated-secret <secret>', 'a second secret that the receiver accepts, to check a rotation')
    .option(
      '--event <event>',
      'an event that the receiver accepts: its name, or {"event": ..., "data": ...} (default: sale.completed)',
      event,
    )
    .option(
      '--header <header>',
      "add this header, such as 'X-Api-Key: ...', to each request, as an endpoint's credentials do; may be repeated",
      oneHeader,
      {},
    )
    .option('--signature-header <name>', "the gateway's name for X-SERVICE-Signature", 'X-SERVICE-Signature')
    .option('--timeout <seconds>', 'the deadline for each request', seconds, 15)
    .option('--slow-after <seconds>', 'warn about answers that take longer', seconds, 3)
    .option('--strict', 'failed recommendations count too, not only what the API documents require', false)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml']))
    .addHelpText('after', examples)
    .action(async (url: string, options: Options) => {
      process.exitCode = await check(url, options);
    });

function seconds(value: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a number of seconds.');
}

/** An event, or the name of one of ours. */
function event(value: string): string | { type: string; data: unknown } {
  if (/^[\w.]+$/.test(value)) return value;
  try {
    const { event: type, data } = JSON.parse(value) as { event: unknown; data: unknown };
    if (typeof type === 'string' && data !== null && typeof data === 'object') return { type, data };
  } catch {
    // The error below explains the format.
  }
  throw new InvalidArgumentError(
    'It must be the name of an event, such as sale.completed, or JSON such as {"event": "sale.completed", "data": {}}.',
  );
}

async function check(url: string, { secret, rotatedSecret, ...options }: Options): Promise<number> {
  if (secret === undefined)
    throw new CouldNotRun("The check needs the receiver's signing secret: pass --secret or set PASSERELLE_SIGNING_SECRET.");
  await checkOutputs(options.output);
  const checked = await checkReceiver({
    url,
    secret: checkedSecret(secret),
    rotatedSecret: rotatedSecret === undefined ? undefined : checkedSecret(rotatedSecret),
    headers: options.header,
    strict: options.strict,
    signatureHeader: options.signatureHeader,
    timeoutMs: Math.max(1, options.timeout * 1000),
    slowAfterMs: options.slowAfter * 1000,
    ...(options.event && { event: typeof options.event === 'string' ? await exampleEvent(options.event) : options.event }),
  });
  const json = () => `${JSON.stringify(checked, null, 2)}\n`;
  say(options.json ? json() : checkText(checked, onStandardOutput()));
  await writeOutputs(options.output, { json, xml: () => checkJunit(checked) });
  return checked.passed ? exitCodes.ok : exitCodes.failed;
}

/** Returns a secret in the gateway's format; with any other text the signatures would use the wrong key. Throws `CouldNotRun`. */
function checkedSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw new CouldNotRun('The secret must be whsec_ followed by base64, without spaces or newlines.');
}
