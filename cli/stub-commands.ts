import { Argument, Command, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { queryOf, StubClient } from '../stubs/listen/client.ts';
import { idInPath } from '../stubs/listen/identify.ts';
import type { ManageClient } from '../stubs/listen/manage.ts';
import type { StubPayment } from '../stubs/payments/types.ts';
import type { ActiveAlternative, World } from '../stubs/types.ts';
import type { StubDelivery } from '../stubs/webhook-types.ts';
import { commaSeparated, oneOf, say } from './command.ts';
import { callsText, follow, followedGatewayCalls, followedStubCalls, type ShownCall } from './follow-calls.ts';
import {
  addEndpoints,
  allOrNone,
  type CallOptions,
  callsOf,
  type DeliveryOptions,
  deliveriesOf,
  endpointsOf,
  type ListedDelivery,
  type ListedEndpoint,
  newCallsOf,
  resend,
} from './gateway-actions.ts';
import { atOption, manageOf, type Running, runningAt, stubUrl, tokenOption } from './running.ts';

interface Options extends CallOptions, DeliveryOptions {
  at?: string;
  token?: string;
  json: boolean;
  follow?: boolean;
  events?: string[];
  secret?: string;
  owner?: string;
  service?: string;
  as?: string;
  clock?: string;
  reference?: string;
}

interface Given {
  args: string[];
  options: Options;
}

/** A command for a running stub or gateway: the call it makes and how its reply is shown. */
interface StubCommand {
  summary: string;
  arguments?: readonly Argument[];
  /** Flags and descriptions. The values of `filters` become the query. */
  flags?: Readonly<Record<string, string>>;
  filters?: Readonly<Record<string, string>>;
  options?: readonly Option[];
  /** By `/_stub`. Absent for a command that uses the manage API of a stub too. */
  run?(stub: StubClient, given: Given): Promise<unknown>;
  /** By the manage API. Absent for a command that works with stubs only. */
  onManage?(manage: ManageClient, given: Given): Promise<unknown>;
  text(data: never): string;
  /** Replaces commander's text about wrong options. */
  wrong?(text: string): string;
}

interface ShownFault {
  id: string;
  rule: string;
  applied: number;
}

const faultsText = (faults: ShownFault[]) =>
  faults.map(({ id, rule, applied }) => `${id}  ${rule}  applied ${applied} ${applied === 1 ? 'time' : 'times'}`).join('\n') ||
  'There are no faults.';

const endpointsText = (endpoints: ListedEndpoint[]) =>
  endpoints
    .map(({ id, url, events, owner, secret = '' }) =>
      [id, url, events?.join(', ') ?? 'all events', owner.id === null ? '' : `of ${owner.id}`, secret]
        .filter((part) => part !== '')
        .join('  '),
    )
    .join('\n') || 'There are no endpoints.';

export function deliveryLine({ url, endpoint_id, status, attempts, response_status, reason }: ListedDelivery): string {
  const answer = response_status === null ? (reason ?? '') : String(response_status);
  return `${status}  ${url ?? endpoint_id}  ${answer}  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
}

const deliveriesText = (deliveries: ListedDelivery[]) =>
  deliveries.map((one) => `${one.id}  ${one.event_type}  ${deliveryLine(one)}`).join('\n') || 'There are no deliveries.';

/** Aligns the columns of a table. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function paymentsText(payments: StubPayment[]): string {
  if (payments.length === 0) return 'There are no such payments.';
  const rows = payments.map(({ id, reference, amount, phone, provider, status, settles_at, settles_as, settled_at }) => [
    ...[id, reference, String(amount), phone, provider, status],
    settles_at === null ? (settled_at ?? '') : `${settles_as} at ${settles_at}`,
  ]);
  return table([['payment', 'sale', 'amount', 'phone', 'provider', 'status', 'ends'], ...rows]);
}

/** An action of a list. `C`: the client of a stub, or of a gateway. */
interface Action<C> {
  /** The values that it needs, one or more of them, such as `a URL`. If absent, it takes no values. */
  takes?: string;
  /** True if it may also be left out. */
  optional?: true;
  run(client: C, values: string[], options: Options): Promise<unknown>;
}
type Actions<C = StubClient> = Readonly<Record<string, Action<C>>>;

const faultActions: Actions = {
  list: { run: (stub) => stub.call('GET', '/faults') },
  add: {
    takes: 'a rule, such as createSale:status=503',
    async run(stub, rules) {
      const add = async (rule: string) => (await stub.call<ShownFault[]>('POST', '/faults', { rule })).at(-1)?.id ?? '';
      await allOrNone(rules, add, (id) => stub.call('DELETE', `/faults/${idInPath(id)}`));
      return stub.call('GET', '/faults');
    },
  },
  remove: { takes: 'the id of a fault', run: (stub, ids) => removeEach(stub, '/faults', ids) },
  clear: { run: (stub) => stub.call('DELETE', '/faults') },
};

/** Removes each from a list. Returns the list. An error says what was removed before it. */
async function removeEach(stub: StubClient, path: string, ids: readonly string[]): Promise<unknown> {
  for (const [at, id] of ids.entries())
    await stub.call('DELETE', `${path}/${idInPath(id)}`).catch(({ message }: Error) => {
      throw new CouldNotRun(at === 0 ? message : `${message} Removed before that: ${ids.slice(0, at).join(', ')}.`);
    });
  return stub.call('GET', path);
}

const takesAlternatives = 'an alternative, such as pos.sale-status=200 or harmless=all';
const assumedOf = async (texts: string[]) => (await import('../stubs/assume/assumptions.ts')).parseAssumed(texts);

const assumeActions: Actions = {
  list: { run: (stub) => stub.call('GET', '/assume') },
  add: { takes: takesAlternatives, run: async (stub, texts) => stub.call('POST', '/assume', await assumedOf(texts)) },
  replace: { takes: takesAlternatives, run: async (stub, texts) => stub.call('PUT', '/assume', await assumedOf(texts)) },
  remove: {
    takes: 'a gap, such as pos.sale-status, or harmless for all harmless changes',
    run(stub, texts) {
      const gaps = texts.map((text) => text.replace(/=.*/, ''));
      return removeEach(stub, '/assume', gaps);
    },
  },
  clear: { run: (stub) => stub.call('DELETE', '/assume') },
  harmless: {
    async run(stub) {
      const { api } = await stub.call<{ api: ServiceName }>('GET', '');
      const { harmlessGaps } = await import('../spec/gaps/harmless.ts');
      return harmlessGaps(api).flatMap(({ id: gap, alternatives }) =>
        alternatives.flatMap(({ id: alternative, text, notPlayed }): ActiveAlternative[] =>
          notPlayed === undefined ? [{ gap, alternative, text }] : [],
        ),
      );
    },
  },
};

const assumeText = (active: ActiveAlternative[]) =>
  active.map(({ gap, alternative, text }) => `${gap}=${alternative}  ${text}`).join('\n') ||
  'No alternative is active: the stub answers as the gap register chose.';

const endpointActions: Actions<ManageClient> = {
  list: { run: endpointsOf },
  add: { takes: 'a URL', run: (gateway, urls, options) => addEndpoints(gateway, { urls, ...options }) },
  remove: {
    takes: 'the id of an endpoint',
    async run(gateway, ids) {
      for (const id of ids) await gateway.removeEndpoint(id);
      return endpointsOf(gateway);
    },
  },
};

const paymentActions: Actions = {
  list: {
    run(stub, _values, options) {
      if (options.as !== undefined)
        throw new CouldNotRun('--as says how settle ends a payment: payments settle ID --as refused.');
      return stub.call('GET', `/payments?${filtersOf(options)}`);
    },
  },
  settle: {
    takes: 'the id of a payment',
    async run(stub, ids, { as, status, reference }) {
      if (status !== undefined || reference !== undefined)
        throw new CouldNotRun('--status and --reference filter the list. settle takes ids, and --as.');
      const settled = [];
      for (const id of ids) settled.push(await stub.call('POST', `/payments/${idInPath(id)}/settle`, { as }));
      return settled;
    },
  },
};

const kindAt = (url: string): 'stub' | 'world' => (url.includes('/_stub/worlds/') ? 'world' : 'stub');

/** A world, as `/_stub/worlds` lists it. */
type ShownWorld = Pick<World, 'name' | 'url' | 'credentials'>;

const worldActions: Actions = {
  list: { run: (stub) => stub.call('GET', '/worlds') },
  add: {
    takes: 'a name, such as worker-1',
    optional: true,
    async run(stub, names, { clock }) {
      const add = async (name?: string) => (await stub.call<ShownWorld>('POST', '/worlds', { name, clock })).name;
      await allOrNone(names.length > 0 ? names : [undefined], add, (name) => stub.call('DELETE', `/worlds/${idInPath(name)}`));
      return stub.call('GET', '/worlds');
    },
  },
  remove: { takes: 'the name of a world', run: (stub, names) => removeEach(stub, '/worlds', names) },
};

const worldsText = (worlds: ShownWorld[]) =>
  worlds
    .map(({ name, url, credentials: own }) =>
      [name, url, ...('token' in own ? [own.token] : [own.apiKey, own.apiSecret])].join('  '),
    )
    .join('\n') || 'There are no worlds.';

/** The arguments of `NAME [action] [values...]`; without an action it lists. */
const argumentsOf = (actions: Actions<never>) => [
  oneOf(new Argument('[action]', `${Object.keys(actions).join(', ')}`).default('list'), Object.keys(actions), 'an action'),
  new Argument('[values...]', 'rules, URLs, ids, names or alternatives'),
];

const listed = (actions: Actions) => ({ arguments: argumentsOf(actions), run: acting(actions) });

/** Runs an action. `faults clear x` would remove every fault, and not x, so it is refused. */
const acting =
  <C>(actions: Actions<C>) =>
  async (client: C, { args: [name = 'list', ...values], options }: Given) => {
    const { takes, optional, run } = actions[name] as Action<C>;
    if (takes !== undefined && !optional && values.length === 0) throw new CouldNotRun(`Name ${takes}.`);
    const other = Object.keys(actions).findLast((action) => actions[action]?.takes !== undefined);
    if (takes === undefined && values.length > 0)
      throw new CouldNotRun(`${name} takes no values, but got ${values.join(' ')}. To ${other} one, use ${other}.`);
    return run(client, values, options);
  };

const stubCommands: Readonly<Record<string, StubCommand>> = {
  reset: {
    summary: 'put a running stub back to its start',
    run: (stub) => stub.call('POST', '/reset'),
    text: ({ url }: { url: string }) => `The ${kindAt(url)} is as it was at its start.`,
  },
  clock: {
    summary: "show a running stub's time, or advance it",
    arguments: [new Argument('[duration]', 'how far to advance it, such as 72h')],
    async run(stub, { args: [by] }) {
      if (by !== undefined) return stub.call('POST', '/clock/advance', { by });
      const { clock: now } = await stub.call<{ clock: string }>('GET', '');
      return { now };
    },
    text: ({ now }: { now: string }) => now,
    wrong: (text) =>
      text.replace(
        /^error: unknown option '(-\d[^']*)'/,
        'error: $1 is in the past: the clock only moves forward. `reset` puts it back to its start.',
      ),
  },
  faults: { summary: 'list, add and remove faults of a running stub', ...listed(faultActions), text: faultsText },
  assume: {
    summary: 'list, add and remove the alternatives under which a running stub answers',
    ...listed(assumeActions),
    text: assumeText,
  },
  worlds: {
    summary: 'list, start and end worlds of a running stub, in which tests run apart',
    ...listed(worldActions),
    flags: {
      '--clock <time>': "fixed time of an added world's clock, such as 2026-11-21T08:00:00Z (default: as the stub began)",
    },
    text: worldsText,
  },
  calls: {
    summary: 'show the calls that a running stub or gateway received',
    flags: { '--follow': 'go on with calls as they come, until Ctrl-C' },
    filters: {
      '--operation <id>': 'only calls of this operation',
      '--method <method>': 'only calls with this method',
      '--path <path>': 'only calls of this path',
      '--status <status>': 'only calls with this status, such as 404 or 4xx',
    },
    run: async (stub, { options }) =>
      options.follow
        ? follow(followedStubCalls(stub, filtersOf(options)), kindAt(stub.at), options)
        : stub.call('GET', `/calls?${filtersOf(options)}`),
    onManage: async (gateway, { options }) =>
      options.follow ? follow(followedGatewayCalls(newCallsOf(gateway, options)), 'gateway', options) : callsOf(gateway, options),
    text: (calls: ShownCall[]) => callsText(calls) || 'There are no calls.',
  },
  endpoints: {
    summary: 'list, add and remove endpoints of a running stub or gateway',
    arguments: argumentsOf(endpointActions),
    onManage: acting(endpointActions),
    options: [
      new Option('--events <types...>', 'event types of an added endpoint (default: all)').argParser(commaSeparated),
      new Option('--service <name>', 'the API of an added endpoint that gets all events').choices(serviceNames),
    ],
    flags: {
      '--owner <owner>': 'account:ID or user:ID, whose events alone an added endpoint gets (default: the operator)',
    },
    text: endpointsText,
  },
  payments: {
    summary: 'list the mobile-money payments of a running stub, and end pending ones',
    ...listed(paymentActions),
    flags: { '--as <end>': 'how `settle` ends a payment: received, refused or timed_out (default: received)' },
    filters: {
      '--status <status>': 'only pending, received, refused or timed_out ones',
      '--reference <reference>': 'only payments of this sale',
    },
    text: paymentsText,
  },
  deliveries: {
    summary: 'show the deliveries of a running stub or gateway',
    filters: {
      '--event-type <type>': 'only deliveries of this event',
      '--status <status>': 'only pending, delivered, failed or skipped ones',
      '--endpoint-id <id>': 'only deliveries to this endpoint',
      '--event-id <id>': 'only deliveries of this event',
    },
    onManage: (gateway, { options }) => deliveriesOf(gateway, options),
    text: deliveriesText,
  },
  resend: {
    summary: 'make one more attempt of a delivery',
    arguments: [new Argument('<id>', "the delivery's id")],
    onManage: (gateway, { args: [id = ''] }) => resend(gateway, id),
    text: (delivery: StubDelivery) => deliveriesText([delivery]),
  },
  state: {
    summary: 'print the data of a running stub, as --seed takes it',
    run: (stub) => stub.call('GET', '/state'),
    text: (data: object) => JSON.stringify(data, null, 2),
  },
};

/** The APIs and the commands, for `passerelle stub NAME`. */
export const stubNames = [...serviceNames, ...Object.keys(stubCommands)];

export function runningStubCommands(): Command[] {
  return Object.entries(stubCommands).map(([name, stubCommand]) => {
    const { summary, arguments: args = [], options: more = [], flags = {}, filters = {}, text, wrong } = stubCommand;
    const command = new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    if (wrong) command.configureOutput({ outputError: (message, write) => write(wrong(message)) });
    for (const argument of args) command.addArgument(argument);
    for (const option of more) command.addOption(option);
    for (const [flag, description] of Object.entries({ ...flags, ...filters })) command.option(flag, description);
    const alsoGateway = stubCommand.onManage !== undefined;
    return command
      .addOption(
        atOption(`URL of the stub${alsoGateway ? ' or gateway' : ''} (default: the stub on this machine, if only one runs)`),
      )
      .addOption(tokenOption(`the operator's token (for ${alsoGateway ? 'a gateway, or ' : ''}a stub on another machine)`))
      .option('--json', 'print JSON', false)
      .action(async (...received) => {
        const options = command.opts<Options>();
        const given = received.slice(0, args.length).flat() as (string | undefined)[];
        const data = await perform(name, stubCommand, { args: given.filter((one) => one !== undefined), options });
        if (data === undefined) return;
        // A command's `text` takes what its own `run` returns.
        const shown = options.json ? JSON.stringify(data, null, 2) : text(data as never);
        if (shown !== '') say(shown);
      });
  });
}

/** Runs a command with the stub or gateway. Throws `CouldNotRun` if a gateway cannot do it. */
async function perform(name: string, { run, onManage }: StubCommand, given: Given): Promise<unknown> {
  const running = await runningStub(given.options);
  if (run && running.program === 'stub') return run(new StubClient(running), given);
  if (!onManage) throw new CouldNotRun(`${running.at} is no stub, but a gateway. Only a stub can do ${name}.`);
  return onManage(await manageOf(running), given);
}

/** The stub or gateway at `--at`, or the only stub that runs at its usual address. Throws `CouldNotRun` if there is none. */
async function runningStub({ at, token }: Options): Promise<Running> {
  if (at !== undefined) return runningAt(at, token);
  const urls = serviceNames.map(stubUrl);
  const found = await Promise.all(urls.map((url) => runningAt(url, token).catch(() => undefined)));
  const [first, ...others] = found.filter((one) => one !== undefined);
  if (first === undefined) throw new CouldNotRun(`No stub answers at ${urls.join(' or ')}. Pass the stub's URL with --at.`);
  if (others.length === 0) return first;
  throw new CouldNotRun(`Stubs run at ${[first, ...others].map(({ at }) => at).join(' and ')}. Choose one with --at.`);
}

/** The given filters as query parameters of `/_stub`. */
const filtersOf = ({ operation, method, path, status, reference }: Options): URLSearchParams =>
  queryOf({ operation, method, path, status: status?.toLowerCase(), reference });
