import { flushCompileCache } from 'node:module';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { plans } from '../contracts/documents/plans.ts';
import { type ServiceName, serviceNames, services } from '../contracts/documents/services.ts';
import type { PlanName } from '../stubs/names.ts';
import type { Stub, StubOptions } from '../stubs/types.ts';
import { withoutGrowth } from '../stubs/young-generation.ts';
import { oneOf, onStandardOutput, say, tell } from './command.ts';
import { runningStubCommands, stubNames } from './stub-commands.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

interface Options {
  port?: number;
  host: string;
  seed: string;
  plan?: PlanName;
  limits: boolean;
  clock: string;
  webhook: Webhook[];
  secret?: string;
  mobileMoney: string[];
  fault: string[];
  assume: string[];
  observed?: string;
  cors?: string[];
  faultSeed?: string;
  help: boolean;
  console: boolean;
  json: boolean;
  quiet: boolean;
}

const defaultPorts = serviceNames.map((name) => `${name} ${services[name].stubPort}`).join(', ');

const examples = `
Examples:
  $ passerelle stub pos
  $ passerelle stub cohesion --seed fixtures.json --webhook http://localhost:3000/hook=intervention.validated
  $ passerelle stub pos --webhook http://localhost:3000/hook=sale.completed,owner=account:acc_demo_pro
  $ passerelle stub pos --fault createSale:status=503,times=2 --fault '*:delay=200ms..2s' --fault-seed 7
  $ passerelle stub pos --mobile-money pending:30s,refused,phone=+2250700000001 --mobile-money pending:10s
  $ passerelle stub pos --assume pos.sale-status=200,pos.error-body=problem-details
  $ passerelle stub pos --assume harmless=all
  $ passerelle stub pos --observed observed.json
  $ passerelle stub pos --console
  $ passerelle stub pos --clock 2026-11-21T08:00:00Z --json

With a stub running, from another terminal:
  $ passerelle stub faults add createSale:status=503,times=2
  $ passerelle stub calls --follow --status 4xx
  $ passerelle stub clock 72h

It serves until Ctrl-C or SIGTERM, also if nobody reads its output any more, as after | head.
Exit codes: 0 stopped by Ctrl-C, 2 could not start.`;

export function stubCommand(): Command {
  const command = new Command('stub')
    .summary('run one API on this machine, for your own tests')
    .description('Serves the reference implementation of one API at the root of its own port, with its data in memory.')
    .addArgument(oneOf(new Argument('<api>', 'the API to serve'), serviceNames, 'an API or a command of stub', stubNames))
    .option('--port <number>', `port to listen on; 0 takes a free one (default: ${defaultPorts})`, port)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'initial data: demo, empty, or a JSON file with your own', 'demo')
    .option('--plan <plan>', `plan of the printed credentials: ${plans.join(', ')} (pos only)`)
    .option('--no-limits', 'without rate limits')
    .option('--clock <time>', 'fixed time of the clock until it is advanced, such as 2026-11-21T08:00:00Z', 'real')
    .addOption(webhookOption('send webhooks to this URL'))
    .option('--secret <secret>', 'signing secret of webhooks, whsec_ and base64 (default: the same at each start)')
    .addOption(
      new Option(
        '--mobile-money <rule>',
        'what happens to payments, such as pending:30s or pending:2m,refused,times=1 (pos only)',
      )
        .default([], 'received')
        .argParser(collected),
    )
    .addOption(
      new Option('--fault <rule>', 'add a fault, such as createSale:status=503,times=2').default([], 'none').argParser(collected),
    )
    .addOption(
      new Option(
        '--assume <gap=alternative>',
        'answer as another choice of the gap register, such as pos.sale-status=200, or with harmless changes: harmless.gzip, harmless=all',
      )
        .default([], 'none')
        .argParser(collected),
    )
    .option('--observed <file>', 'answer as a service was seen to answer, in a file of passerelle observe')
    .option('--fault-seed <seed>', 'seed for the random choices of faults, to repeat a run')
    .addOption(corsOption())
    .option('--no-help', 'error bodies exactly as the gateway sends them, without hints')
    .option('--console', "keep figures for the console's overview, and serve the partners' page and API at /profile", false)
    .option('--json', 'print one JSON object per line', false)
    .option('--quiet', 'print only the address', false)
    .addHelpText('after', examples)
    .action(run)
    // The options of a command are its own, such as --json, also where `stub` has one of that name.
    .enablePositionalOptions();
  for (const one of runningStubCommands()) command.addCommand(one);
  return command;
}

/** Without a default: a stub without the option takes calls from every origin. */
const corsOption = () =>
  new Option(
    '--cors <origin>',
    'let only pages of this origin call, such as http://localhost:5173 (default: every origin)',
  ).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);

async function run(api: ServiceName, options: Options): Promise<void> {
  const stub = await withoutGrowth<Stub>(async () => {
    const { startStub } = await import('../stubs/stub.ts');
    return startStub(api, { ...stubOptions(options), port: options.port ?? services[api].stubPort });
  });
  await report(stub, options);
  if (options.observed !== undefined && !options.quiet) await tellLeft(api, options.observed);
  // Otherwise the next start finds no compiled code if this process is killed.
  flushCompileCache();
  await ended();
  await Promise.race([stub.close(), new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
  process.exit(0);
}

/** Says what the service was seen to do, and the stub does not. */
async function tellLeft(api: ServiceName, file: string): Promise<void> {
  const { left } = await (await import('../stubs/observed.ts')).playedObserved(api, file);
  for (const [gap, reason] of Object.entries(left)) tell(`Not played as observed: ${gap}. ${reason}`);
}

/** How long a stop waits for slow replies and deliveries. */
const closingMs = 1000;

function stubOptions({ webhook: webhooks, fault: faults, ...options }: Options): StubOptions {
  const { host, seed, plan, limits, clock, secret, mobileMoney, assume, observed, faultSeed, cors, help, console } = options;
  return {
    host,
    seed,
    plan,
    limits,
    clock,
    webhooks,
    secret,
    mobileMoney,
    assume,
    observed,
    faults,
    faultSeed,
    ...(cors && { cors }),
    help,
    console,
  };
}

async function report(stub: Stub, { json, quiet }: Options): Promise<void> {
  if (quiet && !json) return say(stub.url);
  const [{ greetingOf, jsonGreeting }, { lineOf, jsonLineOf }] = await Promise.all([
    import('../stubs/greeting.ts'),
    import('../stubs/lines.ts'),
  ]);
  const look = onStandardOutput();
  say(json ? jsonGreeting(stub) : greetingOf(stub, look));
  if (!quiet) stub.subscribe((event) => say(json ? jsonLineOf(event) : lineOf(event, look)));
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

const collected = (value: string, before: string[]) => [...before, value];
