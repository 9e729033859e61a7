import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { duration, plain } from '../contracts/tools/verification/reports/plain.ts';
import { palette } from '../contracts/tools/verification/reports/text.ts';
import { type ListenEndpoint, type Listening, listen, type SeenDelivery } from '../stubs/listen/listen.ts';
import { address, exitCodes, onStandardOutput, providerName, say, tell } from './command.ts';

interface Options {
  at: string;
  token?: string;
  forwardTo?: string;
  events?: string[];
  service?: string;
  printBody: boolean;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle listen --forward-to localhost:3000/hook
  $ passerelle listen --forward-to localhost:3000/hook --events sale.completed inventory.low --print-body
  $ passerelle listen --at http://localhost:8080 --token "$OPERATOR" --service cohesion --json

Requests are forwarded as they came, so your receiver verifies genuine signatures: give it the secret that is printed at the
start (both, where it gets events of both services). Whatever your receiver answers the gateway gets, and it retries by it.
Ctrl-C removes the endpoints again. Exit codes: 0 it was ended, 2 it could not run.`;

export function listenCommand(): Command {
  return new Command('listen')
    .summary('show and forward the events of a running gateway or stub')
    .description('Shows the webhooks of a running gateway or stub, and forwards them, retries and resends too, to your receiver.')
    .option('--forward-to <address>', 'your receiver, such as localhost:3000/hook; without it deliveries are only shown', target)
    .option('--events <type...>', 'only these types, such as sale.completed; every one by default', list)
    .option('--service <name>', 'only events of pos or cohesion; both by default', providerName)
    .addOption(
      new Option('--at <url>', 'the gateway or stub').env('PASSERELLE_URL').default('http://127.0.0.1:8080').argParser(address),
    )
    .addOption(
      new Option('--token <token>', "the operator's token, which the gateway prints at start").env('PASSERELLE_OPERATOR_TOKEN'),
    )
    .option('--print-body', 'show the body of each delivery', false)
    .option('--json', 'a JSON object on each line, for programs', false)
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      await run(options);
      process.exitCode = exitCodes.ok;
    });
}

function target(value: string): string {
  const whole = /^https?:\/\//.test(value) ? value : `http://${value}`;
  if (URL.canParse(whole)) return whole;
  throw new InvalidArgumentError('It is an address such as localhost:3000/hook.');
}

function list(value: string, before: string[] = []): string[] {
  return [...before, ...value.split(',').filter(Boolean)];
}

async function run({ at, token, forwardTo, events, service, ...shown }: Options): Promise<void> {
  if (token === undefined) {
    throw new CouldNotRun(
      "The operator's token is needed: say --token, or set PASSERELLE_OPERATOR_TOKEN. The gateway prints it at start.",
    );
  }
  const ended = signalled();
  const services = service === undefined ? undefined : [service];
  const onDelivery = shown.json ? jsonLine : readableLine({ ...shown, forwardTo });
  const listening = await listen({ at, token, forwardTo, events, services, onDelivery });
  if (shown.json) say(JSON.stringify({ kind: 'listening', forward_to: forwardTo ?? null, endpoints: listening.endpoints }));
  else greet(listening.endpoints, { at, forwardTo });
  await ended;
  await end(listening, shown.json);
}

/** From the start on: Ctrl-C while the endpoints are made must remove them, too. A second one ends the process at once. */
function signalled(): Promise<unknown> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal));
  // Whoever read the lines went away, as `head` does.
  const unread = new Promise((resolve) => process.stdout.on('error', resolve));
  return Promise.race([...signals, unread]);
}

async function end(listening: Listening, json: boolean): Promise<void> {
  await listening.close().catch((error: Error) => {
    const ids = listening.endpoints.map(({ id }) => id).join(', ');
    throw new CouldNotRun(
      `The endpoints ${ids} are still registered: DELETE /manage/v1/endpoints/ID removes them. ${error.message}`,
    );
  });
  if (json) say(JSON.stringify({ kind: 'ended' }));
  else tell('The endpoints are removed.');
}

function greet(endpoints: readonly ListenEndpoint[], { at, forwardTo }: Pick<Options, 'at' | 'forwardTo'>): void {
  const { bold } = palette(onStandardOutput().colors);
  for (const { service, events, secret } of endpoints) {
    say(`${service.padEnd(9)} ${events?.join(', ') ?? 'every event'}\n          signing secret ${bold(secret)}`);
  }
  say(
    `Events of ${at} ${forwardTo === undefined ? 'are shown here' : `go to ${forwardTo}`}. Ctrl-C ends it and removes the endpoints.`,
  );
}

const jsonLine = (delivery: SeenDelivery) => say(JSON.stringify({ kind: 'delivery', ...delivery }));

function readableLine({ printBody, forwardTo }: Pick<Options, 'printBody' | 'forwardTo'>) {
  const { verified, failed, dim } = palette(onStandardOutput().colors);
  return ({ at, event, id, attempt, status, ms, error, body }: SeenDelivery) => {
    const style = status >= 200 && status < 300 ? verified : failed;
    const parts = [at.slice(11, 19), plain(event).padEnd(24), plain(id), `attempt ${attempt}`];
    say([...parts, style(`${status}`), duration(ms)].join('  '));
    if (printBody) say(dim(plain(body)));
    if (error !== null)
      tell(
        `  ${forwardTo} gave no answer: ${plain(error)}. Is your receiver running? The gateway was told ${status} and tries again.`,
      );
    if (status === 410) tell('  After a 410 the gateway sends this endpoint nothing more: start listen again.');
  };
}
