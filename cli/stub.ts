import { flushCompileCache } from 'node:module';
import { Argument, Command } from 'commander';
import { setV8Flags } from '../gateway/base/v8-flags.ts';
import { type ServiceName, serviceNames, services } from '../spec/documents/services.ts';
import type { Stub } from '../stubs/types.ts';
import { oneOf, onStandardOutput, say, tell } from './command.ts';
import { runningStubCommands, stubNames } from './stub-commands.ts';
import { type StubGiven, stubOptions, withStubOptions } from './stub-options.ts';
import { trustedBy } from './stub-tls.ts';

interface Options extends StubGiven {
  json: boolean;
  quiet: boolean;
  untilInputEnds: boolean;
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
  $ passerelle stub pos --tls --tls-ca ca.pem
  $ passerelle stub pos --clock 2026-11-21T08:00:00Z --json

With a stub running, from another terminal:
  $ passerelle stub faults add createSale:status=503,times=2
  $ passerelle stub calls --follow --status 4xx
  $ passerelle stub clock 72h

It serves until Ctrl-C or SIGTERM, also if nobody reads its output any more, as after | head.
Exit codes: 0 stopped, 2 could not start.`;

export function stubCommand(): Command {
  const command = withStubOptions(new Command('stub'), defaultPorts)
    .summary('run one API on this machine, for your own tests')
    .description('Serves the reference implementation of one API at the root of its own port, with its data in memory.')
    .addArgument(oneOf(new Argument('<api>', 'the API to serve'), serviceNames, 'an API or a command of stub', stubNames))
    .option('--json', 'print one JSON object per line', false)
    .option('--quiet', 'print only the address', false)
    .option('--until-input-ends', 'stop also when standard input ends, as it does with the program that started the stub', false)
    .addHelpText('after', examples)
    .action(run)
    // An option after a command's name belongs to that command, even if `stub` has an option with the same name, such as --json.
    .enablePositionalOptions();
  for (const one of runningStubCommands()) command.addCommand(one);
  return command;
}

async function run(api: ServiceName, options: Options): Promise<void> {
  setV8Flags();
  const { startStub } = await import('../stubs/stub.ts');
  const stub: Stub = await startStub(api, stubOptions({ port: services[api].stubPort, ...options }));
  // Before the greeting: whoever reads it may stop the stub at once.
  const stopped = ended(options);
  const trusted = await trustedBy([stub], options).catch(async (error) => {
    await stub.close();
    throw error;
  });
  await report(stub, options, trusted.file);
  if (options.observed !== undefined && !options.quiet) await tellLeft(api, options.observed);
  // Otherwise the next start finds no compiled code if this process is killed.
  flushCompileCache();
  await stopped;
  await trusted.remove();
  await Promise.race([stub.close(), new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
  process.exit(0);
}

/** Lists the observed behaviours of the service that the stub does not play. */
async function tellLeft(api: ServiceName, file: string): Promise<void> {
  const { left } = await (await import('../stubs/observed.ts')).playedObserved(api, file);
  for (const [gap, reason] of Object.entries(left)) tell(`Not played as observed: ${gap}. ${reason}`);
}

/** How long a stop waits for slow replies and deliveries. */
const closingMs = 1000;

async function report(stub: Stub, { json, quiet }: Options, trusted: string | undefined): Promise<void> {
  if (quiet && !json) return say(stub.url);
  const [{ greetingOf, jsonGreeting }, { lineOf, jsonLineOf }] = await Promise.all([
    import('../stubs/greeting.ts'),
    import('../stubs/lines.ts'),
  ]);
  const look = { ...onStandardOutput(), trusted };
  say(json ? jsonGreeting(stub, trusted) : greetingOf(stub, look));
  if (!quiet) stub.subscribe((event) => say(json ? jsonLineOf(event) : lineOf(event, look)));
}

const ended = ({ untilInputEnds }: Options): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    if (untilInputEnds) process.stdin.resume().once('end', () => resolve());
  });
