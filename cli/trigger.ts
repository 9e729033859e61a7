import { Command, InvalidArgumentError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { checkAdvance, durationMs } from '../stubs/duration.ts';
import { StubClient } from '../stubs/listen/client.ts';
import type { ManageClient } from '../stubs/listen/manage.ts';
import type { TestEvents } from '../stubs/listen/test-events.ts';
import type { StubEndpoint, Triggered } from '../stubs/webhook-types.ts';
import { address, commaSeparated, exitCodes, say } from './command.ts';
import { atOption, manageOf, type Running, runningAt, stubUrl, tokenOption } from './running.ts';
import { deliveryLine } from './stub-commands.ts';

interface Options {
  on?: string;
  data?: Record<string, unknown>;
  at?: string;
  to?: string;
  secret?: string;
  owner?: string;
  token?: string;
  duplicate?: number | true;
  then?: string[];
  reorder: boolean;
  validate: boolean;
  advance?: string;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle trigger                                  # lists the events
  $ passerelle trigger sale.completed --to http://localhost:3000/hook
  $ passerelle trigger intervention.validated --on 31
  $ passerelle trigger sale.completed --at http://127.0.0.1:8080 --token "$PASSERELLE_OPERATOR_TOKEN" --to http://localhost:3000/hook
  $ passerelle trigger sale.completed --data '{"total": 12500}' --duplicate 2
  $ passerelle trigger payment.received --then sale.completed --reorder
  $ passerelle trigger order.shipped --data '{"n": 1}' --no-validate
  $ passerelle trigger indicator.alert --at http://127.0.0.1:4020 --advance 72h

Exit codes: 0 all delivered, 1 a delivery is pending or failed, 2 could not run.`;

export const triggerCommand = (): Command =>
  new Command('trigger')
    .summary('send a webhook from a running stub or gateway')
    .description(
      'Causes an event in a running stub: makes the change that the event tells of, on a record that allows it. With --data, or if no record allows the change, the event is an example and nothing changes. The stub signs and delivers it. A gateway sends its test event.',
    )
    .argument('[event]', 'the event type, such as sale.completed (default: list them)')
    .option('--on <id>', 'the record to change, such as an intervention, a store or a sale (default: one that allows the change)')
    .option(
      '--data <json>',
      'send an example with this JSON object merged into it, or {} for the example as it is; nothing changes',
      jsonObject,
    )
    .addOption(
      atOption(`the stub's URL (default: ${serviceNames.map((name) => `${stubUrl(name)} for ${name} events`).join(', ')})`),
    )
    .option('--to <url>', 'send these events to this URL too', address)
    .option('--secret <secret>', "the signing secret for --to (default: the stub's)")
    .option('--owner <owner>', 'the account or user to whom the endpoint of --to belongs, such as account:acc_1 (default: any)')
    .addOption(tokenOption("the operator's token (for a gateway, or a stub on another machine)"))
    .option('--duplicate [times]', 'deliver the event again with the same webhook-id', duplicates)
    .option('--then <events...>', 'more events, in this order', commaSeparated)
    .option('--reorder', 'deliver the events in reverse order; name several with --then', false)
    .option('--no-validate', 'send the event even if its type or data is not valid')
    .option('--advance <duration>', "advance the stub's clock afterwards, such as 72h, to run retries", duration)
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (event: string | undefined, options: Options) => {
      if (event === undefined) return listEvents(options);
      process.exitCode = await run(event, options);
    });

async function listEvents({ json }: Options): Promise<void> {
  const { eventsOf } = await import('../spec/openapi/operations.ts');
  const events = serviceNames.flatMap((service) =>
    Object.entries(eventsOf(service)).map(([event, { summary = '' }]) => ({ service, event, summary })),
  );
  const line = ({ service, event, summary }: (typeof events)[number]) => `${service.padEnd(10)}${event.padEnd(25)}${summary}`;
  say(json ? JSON.stringify(events, null, 2) : events.map(line).join('\n'));
}

/** Refuses flags that have an effect only with another one. */
function checkTogether({ secret, owner, to, reorder, then = [] }: Options): void {
  if (secret !== undefined && to === undefined) throw new CouldNotRun('--secret is the signing secret of --to: give --to too.');
  if (owner !== undefined && to === undefined) throw new CouldNotRun('--owner has the endpoint of --to: give --to too.');
  if (reorder && then.length === 0)
    throw new CouldNotRun('--reorder delivers several events in reverse order: name more with --then.');
}

async function run(event: string, options: Options): Promise<number> {
  checkTogether(options);
  const running = await runningAt(options.at ?? stubUrl(await apiOf(event)), options.token);
  const { on, data, advance, to, secret, owner } = options;
  const duplicates = options.duplicate === true ? 1 : (options.duplicate ?? 0);
  const events = [event, ...(options.then ?? [])].map((name, at) => ({ event: name, ...(at === 0 && { on, data }) }));
  if (running.program === 'gateway') return report(options, await onGateway(running, { ...options, events, duplicates }));
  const stub = new StubClient(running);
  if (advance !== undefined) {
    // Before anything is sent: an event cannot be taken back.
    const { clock } = await stub.call<{ clock: string }>('GET', '');
    checkAdvance(Date.parse(clock), durationMs(advance));
  }
  const signedWith = to === undefined ? undefined : (secret ?? (await secretFor(stub, to, owner)));
  const { reorder, validate } = options;
  const body = { events, reorder, validate, duplicates, to, secret, owner };
  const sent = await stub.call<Triggered[]>('POST', '/trigger', body);
  if (advance === undefined) return report(options, { triggered: sent, signedWith });
  await stub.call('POST', '/clock/advance', { by: advance });
  const manage = await manageOf(running);
  return report(options, { triggered: await Promise.all(sent.map((one) => refreshed(manage, one))), signedWith });
}

interface Outcome {
  triggered: readonly Triggered[];
  /** The signing secret of the URL of `--to`. */
  signedWith: string | undefined;
}

function report({ json, to }: Options, { triggered, signedWith }: Outcome): number {
  say(json ? JSON.stringify(triggered, null, 2) : triggered.map(triggeredText).join('\n'));
  if (!json && signedWith !== undefined) say(`${to} gets it signed with ${signedWith}`);
  const delivered = triggered.every(({ deliveries }) => deliveries.every(({ status }) => status === 'delivered'));
  return delivered ? exitCodes.ok : exitCodes.failed;
}

/** The options that only a stub understands, with their default values. */
const stubOnly = {
  on: undefined,
  secret: undefined,
  owner: undefined,
  advance: undefined,
  reorder: false,
  validate: true,
} as const;

type OnGateway = Options & Pick<TestEvents, 'events' | 'duplicates'>;

async function onGateway(running: Running, { events, duplicates, to, ...options }: OnGateway): Promise<Outcome> {
  const given = (Object.keys(stubOnly) as (keyof typeof stubOnly)[]).find((name) => options[name] !== stubOnly[name]);
  if (given !== undefined) {
    const flag = given === 'validate' ? 'no-validate' : given;
    throw new CouldNotRun(`${running.at} is a gateway, which sends test events. Only a stub can do --${flag}.`);
  }
  const [manage, { sendTestEvents }] = await Promise.all([manageOf(running), import('../stubs/listen/test-events.ts')]);
  let signedWith: string | undefined;
  const onSecret = (secret: string) => {
    signedWith = secret;
  };
  const triggered = await sendTestEvents(manage, { events, to, duplicates, onSecret });
  return { triggered, signedWith };
}

/** The secret that signs what a stub sends to this URL. */
async function secretFor(stub: StubClient, to: string, owner: string | undefined): Promise<string> {
  const { secret, endpoints } = await stub.call<{ secret: string; endpoints: StubEndpoint[] }>('GET', '');
  const at = endpoints.filter(({ url }) => new URL(url).href === new URL(to).href);
  return at.find((one) => owner === undefined || one.owner === owner)?.secret ?? secret;
}

async function apiOf(event: string): Promise<ServiceName> {
  const { eventsOf } = await import('../spec/openapi/operations.ts');
  return serviceNames.find((name) => Object.hasOwn(eventsOf(name), event)) ?? 'pos';
}

const refreshed = async (manage: ManageClient, triggered: Triggered): Promise<Triggered> => ({
  ...triggered,
  deliveries: await Promise.all(triggered.deliveries.map(({ id }) => manage.delivery(id))),
});

function triggeredText({ id, event, example, because, deliveries }: Triggered): string {
  const cause = example ? `  An example: nothing changed. ${because}` : `  ${because}`;
  const lines = deliveries.map((delivery) => `  ${deliveryLine(delivery)}`);
  const none = '  no endpoint subscribes to it: send it to your receiver with --to URL';
  return [`${event}  ${id}`, cause, ...(lines.length > 0 ? lines : [none])].join('\n');
}

function jsonObject(value: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {}
  throw new InvalidArgumentError(`It must be a JSON object such as '{"total": 12500}'.`);
}

function duration(value: string): string {
  try {
    durationMs(value);
    return value;
  } catch (error) {
    throw error instanceof CouldNotRun ? new InvalidArgumentError(error.message) : error;
  }
}

function duplicates(value: string): number {
  if (/^([1-9]\d?|100)$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a number from 1 to 100.');
}
