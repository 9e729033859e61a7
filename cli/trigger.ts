import { Command, InvalidArgumentError } from 'commander';
import { type ServiceName, serviceNames, services } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { StubDelivery, Triggered } from '../stubs/webhooks.ts';
import { address, exitCodes, say } from './command.ts';

interface Options {
  data?: Record<string, unknown>;
  at?: string;
  to?: string;
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
  $ passerelle trigger sale.completed --to http://localhost:3000/hook
  $ passerelle trigger sale.completed --data '{"total": 12500}' --duplicate 2
  $ passerelle trigger payment.received --then sale.completed --reorder
  $ passerelle trigger order.shipped --data '{"n": 1}' --no-validate
  $ passerelle trigger intervention.validated --at http://127.0.0.1:4020 --advance 27h

Exit codes: 0 all delivered, 1 a delivery is pending or failed, 2 could not run.`;

export function triggerCommand(): Command {
  return new Command('trigger')
    .summary('send a webhook from a running stub')
    .description(
      "Emits an event in a running stub. Its data is the catalogue's example, with yours merged into it. The stub signs and delivers it.",
    )
    .argument('<event>', 'the event type, such as sale.completed')
    .option('--data <json>', 'a JSON object to merge into the example', jsonObject)
    .option(
      '--at <url>',
      `the stub's URL (default: ${serviceNames.map((name) => `${stubUrl(name)} for ${name} events`).join(', ')})`,
      address,
    )
    .option('--to <url>', 'register this endpoint first, if it is new', address)
    .option('--token <token>', "the operator's token (only for a stub on another machine)")
    .option('--duplicate [times]', 'deliver the event again with the same webhook-id', duplicates)
    .option('--then <events...>', 'more events, in this order')
    .option('--reorder', 'deliver the events in reverse order', false)
    .option('--no-validate', 'send the event even if its type or data is not valid')
    .option('--advance <duration>', "advance the stub's clock afterwards, such as 27h, to run retries")
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (event: string, options: Options) => {
      process.exitCode = await run(event, options);
    });
}

async function run(event: string, options: Options): Promise<number> {
  const stub = controlOf(options.at ?? (await addressFor(event)), options.token);
  if (options.to !== undefined) await register(stub, options.to);
  const duplicate = options.duplicate === true ? 1 : (options.duplicate ?? 0);
  const events = [event, ...(options.then ?? [])].map((name, at) => ({ event: name, ...(at === 0 && { data: options.data }) }));
  const sent = (await stub('POST', '/trigger', {
    ...{ events, reorder: options.reorder, validate: options.validate, duplicates: duplicate },
  })) as Triggered[];
  if (options.advance !== undefined) await stub('POST', '/clock/advance', { by: options.advance });
  const triggered = options.advance === undefined ? sent : await Promise.all(sent.map((one) => refreshed(stub, one)));
  say(options.json ? JSON.stringify(triggered, null, 2) : triggered.map(triggeredText).join('\n'));
  const delivered = triggered.every(({ deliveries }) => deliveries.every(({ status }) => status === 'delivered'));
  return delivered ? exitCodes.ok : exitCodes.failed;
}

const stubUrl = (name: ServiceName) => `http://127.0.0.1:${services[name].stubPort}`;

type Control = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

/** Returns a function that calls `/_stub` of a running stub. It throws `CouldNotRun` with the stub's error message. */
function controlOf(url: string, token: string | undefined): Control {
  return async (method, path, body) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const reply = await fetch(`${url.replace(/\/$/, '')}/_stub${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new CouldNotRun(`No stub answers at ${url}. Start one with passerelle stub pos, or pass its URL with --at.`);
    });
    const answer = (await reply.json().catch(() => ({}))) as { data?: unknown; error?: { message?: string } };
    if (reply.ok && answer.data !== undefined) return answer.data;
    throw new CouldNotRun(answer.error?.message ?? `${url} is not a Passerelle stub: it answered ${reply.status}.`);
  };
}

async function addressFor(event: string): Promise<string> {
  const { eventsOf } = await import('../contracts/openapi/operations.ts');
  return stubUrl(serviceNames.find((name) => event in eventsOf(name)) ?? 'pos');
}

async function register(stub: Control, to: string): Promise<void> {
  const { endpoints } = (await stub('GET', '')) as { endpoints: { url: string; events: string[] | null }[] };
  if (!endpoints.some(({ url, events }) => new URL(url).href === new URL(to).href && events === null))
    await stub('POST', '/endpoints', { url: to });
}

async function refreshed(stub: Control, { id, event }: Triggered): Promise<Triggered> {
  return { id, event, deliveries: (await stub('GET', `/deliveries?event_id=${id}`)) as StubDelivery[] };
}

function triggeredText({ id, event, deliveries }: Triggered): string {
  const lines = deliveries.map(({ url, status, attempts, response_status, reason }) => {
    const answer = response_status === null ? (reason ?? '') : String(response_status);
    return `  ${status}  ${url}  ${answer}  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  });
  const none = '  no endpoint subscribes to it: register one with --to URL';
  return [`${event}  ${id}`, ...(lines.length > 0 ? lines : [none])].join('\n');
}

function jsonObject(value: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {}
  throw new InvalidArgumentError(`It must be a JSON object such as '{"total": 12500}'.`);
}

function duplicates(value: string): number {
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a number from 1 to 99.');
}
