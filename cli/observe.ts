import { Argument, Command, InvalidArgumentError } from 'commander';
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { ask } from '../contracts/tools/observed/ask.ts';
import { checkUpstream, readIfThere, writeObserved } from '../contracts/tools/observed/file.ts';
import { openForwarding, openUpstream } from '../contracts/tools/observed/forward.ts';
import { Observation } from '../contracts/tools/observed/observation.ts';
import { observedText } from '../contracts/tools/observed/report.ts';
import { plain } from '../contracts/tools/verification/reports/plain.ts';
import { exitCodes, onStandardOutput, say, tell } from './command.ts';
import { oneOf } from './stub-commands.ts';

interface Options {
  upstream: string;
  out: string;
  port: number;
  host: string;
  allowWrites: boolean;
  ask: boolean;
  store?: string;
  fresh: boolean;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle observe pos --upstream https://sandbox.example
  $ passerelle observe pos --upstream https://sandbox.example --allow-writes --out sandbox.json
  $ PASSERELLE_POS_API_KEY=... PASSERELLE_POS_API_SECRET=... passerelle observe pos --upstream https://sandbox.example --ask --store STORE-1
  $ PASSERELLE_COHESION_TOKEN=... passerelle observe cohesion --upstream https://sandbox.example --ask

Send your tests to the address that it prints. It forwards each call unchanged, and judges the reply. The file has the names of
fields and the kinds of values, and no value of a call. Then:
  $ passerelle stub pos --observed observed.json
  $ passerelle gaps --observed observed.json

Without --allow-writes it refuses calls that may change data. Running it again adds to the file. It serves until Ctrl-C.
Exit codes: 0 stopped by Ctrl-C, or all of --ask was asked, 2 could not run.`;

export function observeCommand(): Command {
  return new Command('observe')
    .summary('find out from a real service how it answers what the documents leave open')
    .description(
      'Stands between your tests and the real service. It compares each reply with the documents, with our choices and with their alternatives, and writes what it sees to a file.',
    )
    .addArgument(oneOf(new Argument('<api>', 'the API of the service'), serviceNames, 'an API'))
    .requiredOption('--upstream <url>', 'the service: https, or an address of this machine. Paths of calls are added to it')
    .option('--out <file>', 'the file to write, and to add to', 'observed.json')
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 4040)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-writes', 'forward calls that may change data too', false)
    .option('--ask', 'make read-only calls of its own, and end', false)
    .option('--store <id>', 'a store for --ask (pos only)')
    .option('--fresh', 'forget what earlier runs saw', false)
    .option('--json', 'print the file at the end, and nothing else', false)
    .addHelpText('after', examples)
    .action(async (api: ServiceName, options: Options) => {
      await run(api, options);
      process.exitCode = exitCodes.ok;
    });
}

function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

async function run(api: ServiceName, { out, fresh, json, allowWrites, ...options }: Options): Promise<void> {
  if (options.store !== undefined && (api !== 'pos' || !options.ask))
    throw new CouldNotRun('--store names a store of pos for --ask. Leave it out.');
  const ended = signalled();
  const upstream = openUpstream(options.upstream);
  const before = fresh ? undefined : await readIfThere(out, api);
  if (before) checkUpstream(before, upstream.origin, out);
  const observation = new Observation(api, upstream.origin, before);
  const file = new LatestOnly(() => writeObserved(out, observation.observed));
  await file.write();
  const log = json ? () => {} : tell;
  const forwarding = await openForwarding({
    ...{ api, upstream, allowWrites, host: options.host, port: options.ask ? 0 : options.port },
    onCall(call) {
      for (const { gap, because } of observation.add(call, new Date())) log(`  ${gap}: ${because}`);
      void file.write().catch((error: Error) => tell(plain(error.message)));
    },
    onRefusal: (reason) => tell(plain(reason)),
  });
  if (!json && !options.ask) greet(forwarding.url, upstream.origin, { out, allowWrites });
  try {
    await (options.ask
      ? Promise.race([ask({ api, url: forwarding.url, env: process.env, store: options.store }), ended])
      : ended);
  } finally {
    await forwarding.close();
    await upstream.dispatcher.destroy();
    await file.write();
  }
  const { observed } = observation;
  say(json ? JSON.stringify(observed, null, 2) : `${observedText(observed, onStandardOutput())}\nWritten to ${out}.`);
}

function greet(url: string, origin: string, { out, allowWrites }: Pick<Options, 'out' | 'allowWrites'>): void {
  say(`${url} forwards to ${origin}, and what it sees goes to ${out}.`);
  say(`Calls that may change data are ${allowWrites ? 'forwarded' : 'refused (--allow-writes forwards them)'}. Ctrl-C ends it.`);
}

function signalled(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}

/** Runs a task again if it was asked for while it ran, and never twice at once. */
class LatestOnly {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  write(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#task().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.write();
      });
    return this.#next;
  }
}
