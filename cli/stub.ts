import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type ServiceName, serviceNames, services } from '../contracts/documents/services.ts';
import type { Stub, StubOptions } from '../stubs/types.ts';
import { onStandardOutput, say } from './command.ts';

interface Options {
  port?: number;
  host: string;
  seed: string;
  plan?: string;
  limits: boolean;
  clock: string;
  webhook: { url: string; events?: string[] }[];
  fault: string[];
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
  $ passerelle stub pos --fault createSale:status=503,times=2 --fault '*:delay=200ms..2s' --fault-seed 7
  $ passerelle stub pos --console
  $ passerelle stub pos --clock 2026-11-21T08:00:00Z --json

Exit codes: 0 stopped by Ctrl-C, 2 could not start.`;

export function stubCommand(): Command {
  return new Command('stub')
    .summary('run one API on this machine, for your own tests')
    .description('Serves the reference implementation of one API at the root of its own port, with its data in memory.')
    .addArgument(new Argument('<api>', 'the API to serve').choices(serviceNames))
    .option('--port <number>', `port to listen on; 0 takes a free one (default: ${defaultPorts})`, port)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <file>', 'initial data: demo, empty, or a JSON file with your own', 'demo')
    .option('--plan <plan>', 'plan of the printed credentials: free, pro or enterprise (pos only)')
    .option('--no-limits', 'without rate limits')
    .option('--clock <time>', 'fixed time of the clock until it is advanced, such as 2026-11-21T08:00:00Z', 'real')
    .addOption(
      new Option('--webhook <url[=events]>', 'send webhooks to this URL; separate events by commas')
        .default([], 'none')
        .argParser(webhook),
    )
    .addOption(
      new Option('--fault <rule>', 'add a fault, such as createSale:status=503,times=2').default([], 'none').argParser(collected),
    )
    .option('--fault-seed <seed>', 'seed for the random choices of faults, to repeat a run')
    .option('--no-help', 'error bodies exactly as the gateway sends them, without hints')
    .option('--console', "also serve the operator's console at /console", false)
    .option('--json', 'print one JSON object per line', false)
    .option('--quiet', 'print only the address', false)
    .addHelpText('after', examples)
    .action(run);
}

async function run(api: ServiceName, options: Options): Promise<void> {
  const { startStub } = await import('../stubs/stub.ts');
  const stub: Stub = await startStub(api, { ...stubOptions(options), port: options.port ?? services[api].stubPort });
  await report(stub, options);
  await ended();
  await Promise.race([stub.close(), new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
  process.exit(0);
}

/** How long a stop waits for slow replies and deliveries. */
const closingMs = 1000;

function stubOptions({ webhook: webhooks, fault: faults, ...options }: Options): StubOptions {
  const { host, seed, plan, limits, clock, faultSeed, help, console } = options;
  return { host, seed, plan, limits, clock, webhooks, faults, faultSeed, help, console };
}

async function report(stub: Stub, { json, quiet }: Options): Promise<void> {
  const [{ greetingOf, jsonGreeting }, { lineOf, jsonLineOf }] = await Promise.all([
    import('../stubs/greeting.ts'),
    import('../stubs/lines.ts'),
  ]);
  const look = onStandardOutput();
  say(json ? jsonGreeting(stub) : quiet ? stub.url : `${greetingOf(stub, look)}`);
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

/** Parses `http://localhost:3000/hook=sale.completed,inventory.low`. Text after the last `=` counts as events only if it looks like them. */
function webhook(value: string, before: Options['webhook']): Options['webhook'] {
  const [, url = value, events] = /^(.+)=([a-z_]+\.[a-z_]+(?:,[a-z_]+\.[a-z_]+)*)$/.exec(value) ?? [];
  if (!URL.canParse(url)) throw new InvalidArgumentError('It must be an address such as http://localhost:3000/hook.');
  return [...before, events === undefined ? { url } : { url, events: events.split(',') }];
}
