import { once } from 'node:events';
import { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { duration, plain } from '../contracts/tools/reports/plain.ts';
import { palette } from '../contracts/tools/reports/text.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { type ListenEndpoint, type Listening, listen, type SeenDelivery } from '../stubs/listen/listen.ts';
import { apiArgument, commaSeparated, exitCodes, headedAddress, oneHeader, onStandardOutput, say, tell } from './command.ts';
import { atOption, tokenOption } from './running.ts';

interface Options {
  at: string;
  token?: string;
  forwardTo?: string;
  header: Record<string, string>;
  events?: string[];
  printBody: boolean;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle listen --forward-to localhost:3000/hook
  $ passerelle listen --forward-to localhost:3000/hook --events sale.completed inventory.low --print-body
  $ passerelle listen cohesion --at http://localhost:8080 --token "$PASSERELLE_OPERATOR_TOKEN" --json

Requests are forwarded unchanged, so your receiver can verify their signatures. Give it the secret that listen prints at its
start (both secrets, if it receives events of both services). The gateway gets your receiver's answer and retries by it.
Ctrl-C removes the endpoints. Exit codes: 0 stopped, 2 could not run.`;

export const listenCommand = (): Command =>
  new Command('listen')
    .summary('show and forward the webhooks of a running gateway or stub')
    .description(
      'Shows the webhooks of a running gateway or stub and forwards them to your receiver, including retries and resends.',
    )
    .addArgument(apiArgument('[api]', 'only events of this API (default: both)'))
    .option('--forward-to <address>', 'your receiver, such as localhost:3000/hook (default: only show deliveries)', target)
    .option(
      '--header <header>',
      "add this header, such as 'X-Api-Key: ...', to what is forwarded; may be repeated",
      oneHeader,
      {},
    )
    .option('--events <types...>', 'only these event types, such as sale.completed (default: all)', commaSeparated)
    .addOption(atOption('the gateway or stub').default('http://127.0.0.1:8080'))
    .addOption(tokenOption())
    .option('--print-body', 'show the body of each delivery', false)
    .option('--json', 'print one JSON object per line', false)
    .addHelpText('after', examples)
    .action(async (api: ServiceName | undefined, options: Options) => {
      await run(api, options);
      process.exitCode = exitCodes.ok;
    });

const target = (value: string): string => headedAddress(/^https?:\/\//.test(value) ? value : `http://${value}`);

async function run(api: ServiceName | undefined, { at, token, forwardTo, header, events, ...shown }: Options): Promise<void> {
  if (token === undefined) {
    throw new CouldNotRun(
      "listen needs the operator's token: pass --token or set PASSERELLE_OPERATOR_TOKEN. The gateway prints it at its start.",
    );
  }
  if (forwardTo === undefined && Object.keys(header).length > 0)
    throw new CouldNotRun('--header needs --forward-to: nothing else is sent.');
  const ended = signalled();
  const services = api === undefined ? undefined : [api];
  const onDelivery = shown.json ? jsonLine : readableLine({ ...shown, forwardTo });
  const listening = await listen({ at, token, forwardTo, headers: header, events, services, onDelivery });
  if (shown.json) say(JSON.stringify({ kind: 'listening', forward_to: forwardTo ?? null, endpoints: listening.endpoints }));
  else greet(listening.endpoints, { at, forwardTo });
  await ended;
  await end(listening, shown.json);
}

/** Resolves at Ctrl-C. Must be called before the endpoints are created, so that an early Ctrl-C removes them too. */
function signalled(): Promise<unknown> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal));
  // The program that reads the lines, such as `head`, has ended.
  const readerGone = new Promise((resolve) => process.stdout.on('error', resolve));
  return Promise.race([...signals, readerGone]);
}

async function end(listening: Listening, json: boolean): Promise<void> {
  await listening.close().catch((error: Error) => {
    const ids = listening.endpoints.map(({ id }) => id).join(', ');
    throw new CouldNotRun(
      `The endpoints ${ids} could not be removed: ${error.message} Remove each with DELETE /manage/v1/endpoints/ID.`,
    );
  });
  if (json) say(JSON.stringify({ kind: 'ended' }));
  else tell('The endpoints were removed.');
}

function greet(endpoints: readonly ListenEndpoint[], { at, forwardTo }: Pick<Options, 'at' | 'forwardTo'>): void {
  const { bold } = palette(onStandardOutput().colors);
  for (const { service, events, secret } of endpoints) {
    say(`${service.padEnd(9)} ${events?.join(', ') ?? 'every event'}\n          signing secret ${bold(secret)}`);
  }
  say(
    `Events of ${at} are ${forwardTo === undefined ? 'shown here' : `forwarded to ${forwardTo}`}. Press Ctrl-C to stop and remove the endpoints.`,
  );
}

const jsonLine = (delivery: SeenDelivery) => say(JSON.stringify({ kind: 'delivery', ...delivery }));

function readableLine({ printBody, forwardTo }: Pick<Options, 'printBody' | 'forwardTo'>) {
  const { passed, failed, dim } = palette(onStandardOutput().colors);
  return ({ at, event, id, attempt, status, ms, error, body }: SeenDelivery) => {
    const style = status >= 200 && status < 300 ? passed : failed;
    const parts = [at.slice(11, 19), plain(event).padEnd(24), plain(id), `attempt ${attempt}`];
    say([...parts, style(`${status}`), duration(ms)].join('  '));
    if (printBody) say(dim(plain(body)));
    if (error !== null)
      tell(`  ${forwardTo} did not answer: ${plain(error)}. Is your receiver running? The gateway got ${status} and will retry.`);
    if (status === 410) tell('  The gateway disables an endpoint that answers 410. Start listen again.');
  };
}
