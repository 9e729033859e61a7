import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { ask } from '../contracts/tools/observed/ask.ts';
import { checkUpstream, readIfThere, writeObserved } from '../contracts/tools/observed/file.ts';
import type { Finding } from '../contracts/tools/observed/finding.ts';
import { openForwarding } from '../contracts/tools/observed/forward.ts';
import { Observation } from '../contracts/tools/observed/observation.ts';
import { observedReport } from '../contracts/tools/observed/report.ts';
import { openReceiver, openUpstream, type Upstream } from '../contracts/tools/observed/upstream.ts';
import { openReceiving } from '../contracts/tools/observed/webhooks/receive.ts';
import { plain } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { apiArgument, exitCodes, onStandardOutput, say, tell } from './command.ts';

interface Options {
  upstream: string;
  output: string;
  port: number;
  host: string;
  allowWrites: boolean;
  ask: boolean;
  store?: string;
  fresh: boolean;
  json: boolean;
  webhooksTo?: string;
  webhooksPort: number;
  secret?: string;
}

const examples = `
Examples:
  $ passerelle observe pos --upstream https://sandbox.example
  $ passerelle observe pos --upstream https://sandbox.example --allow-writes --output sandbox.json
  $ PASSERELLE_POS_API_KEY=... PASSERELLE_POS_API_SECRET=... passerelle observe pos --upstream https://sandbox.example --ask --store STORE-1
  $ PASSERELLE_COHESION_TOKEN=... passerelle observe cohesion --upstream https://sandbox.example --ask
  $ PASSERELLE_SIGNING_SECRET=... passerelle observe cohesion --upstream https://sandbox.example --webhooks-to http://127.0.0.1:9000/hook

Send your tests to the address that it prints. It forwards each call unchanged, and judges the reply. The file has the names of
fields and the kinds of values, and no value of a call. Then:
  $ passerelle stub pos --observed observed.json
  $ passerelle gaps --observed observed.json

With --webhooks-to it prints a second address: give that one to the service as your endpoint, through a tunnel if need be. Webhooks reach
your receiver unchanged, so their signatures stay valid.

Without --allow-writes it refuses calls that may change data. Running it again adds to the file. It serves until Ctrl-C.
Exit codes: 0 stopped by Ctrl-C, or all of --ask was asked, 2 could not run.`;

export const observeCommand = (): Command =>
  new Command('observe')
    .summary('find out from a real service how it answers what the documents leave open')
    .description(
      'Stands between your tests and the real service. It compares each reply with the documents, with our choices and with their alternatives, and writes what it sees to a file.',
    )
    .addArgument(apiArgument('<api>', 'the API of the service'))
    .requiredOption('--upstream <url>', 'the service: https, or an address of this machine. Paths of calls are added to it')
    .option('--output <file>', 'the file to write, and to add to', 'observed.json')
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 4040)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-writes', 'forward calls that may change data too', false)
    .option('--ask', 'make read-only calls of its own, and end', false)
    .option('--store <id>', 'a store for --ask (pos only)')
    .option('--webhooks-to <url>', 'pass webhooks of the service on to this receiver, and judge them too')
    .option('--webhooks-port <number>', 'port for webhooks to listen on; 0 takes a free one', port, 4041)
    .addOption(
      new Option('--secret <secret>', 'the signing secret of the endpoint, to check signatures').env('PASSERELLE_SIGNING_SECRET'),
    )
    .option('--fresh', 'forget what earlier runs saw', false)
    .option('--json', 'print the file at the end, and nothing else', false)
    .addHelpText('after', examples)
    .action(async (api: ServiceName, options: Options) => {
      await run(api, options);
      process.exitCode = exitCodes.ok;
    });

const noSignatureFits = 'No signature fits: check PASSERELLE_SIGNING_SECRET (or --secret).';

function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

async function run(api: ServiceName, options: Options): Promise<void> {
  const { output: out, fresh, json } = options;
  checkOptions(api, options);
  const ended = signalled();
  const upstream = openUpstream(options.upstream);
  const receiver = options.webhooksTo === undefined ? undefined : openReceiver(options.webhooksTo);
  const before = fresh ? undefined : await readIfThere(out, api);
  if (before) checkUpstream(before, upstream.origin, out);
  const observation = new Observation(api, upstream.origin, before);
  const file = new LatestOnly(() => writeObserved(out, observation.observed));
  await file.write();
  const servers = await openServers(api, options, { upstream, receiver, observation, file });
  if (!json && !options.ask) greet(servers.url, upstream.origin, options);
  if (!json && receiver) say(`${servers.webhooksUrl} passes webhooks on to ${receiver.urlWithoutQuery}.`);
  try {
    await (options.ask ? Promise.race([ask({ api, url: servers.url, env: process.env, store: options.store }), ended]) : ended);
  } finally {
    await servers.close();
    await file.write();
  }
  const { observed, isSecretWrong } = observation;
  if (isSecretWrong) tell(noSignatureFits);
  say(json ? JSON.stringify(observed, null, 2) : `${textReport(observedReport(observed), onStandardOutput())}Written to ${out}.`);
}

function checkOptions(api: ServiceName, options: Options): void {
  if (options.store !== undefined && (api !== 'pos' || !options.ask))
    throw new CouldNotRun('--store names a store of pos for --ask. Leave it out.');
  if (options.ask && options.webhooksTo !== undefined)
    throw new CouldNotRun('--ask ends before a webhook could arrive. Leave out --ask or --webhooks-to.');
}

interface Parts {
  upstream: Upstream;
  receiver: Upstream | undefined;
  observation: Observation;
  file: LatestOnly;
}

/** Opens the way to the service and, if there is a receiver, the way back. */
async function openServers(api: ServiceName, options: Options, { upstream, receiver, observation, file }: Parts) {
  const { host, allowWrites, secret } = options;
  const log = options.json ? () => {} : tell;
  let isTold = false;
  // The report at the end says how often.
  const logged = new Set<string>();
  const noted = (findings: readonly Finding[]) => {
    for (const line of findings.map(({ gap, because }) => `  ${gap}: ${because}`)) {
      if (!logged.has(line)) log(line);
      logged.add(line);
    }
    if (observation.isSecretWrong && !isTold) log(noSignatureFits);
    isTold ||= observation.isSecretWrong;
    void file.write().catch((error: Error) => tell(plain(error.message)));
  };
  const around = { host, onRefusal: (reason: string) => tell(plain(reason)) };
  const forwarding = await openForwarding({
    ...around,
    api,
    upstream,
    allowWrites,
    port: options.ask ? 0 : options.port,
    onCall: (call) => noted(observation.add(call, new Date())),
  });
  const receiving =
    receiver &&
    (await openReceiving({
      ...around,
      receiver,
      secret,
      port: options.webhooksPort,
      onWebhook: (webhook) => noted(observation.addWebhook(webhook)),
    }).catch(async (error: Error) => {
      await forwarding.close();
      throw error;
    }));
  return { url: forwarding.url, webhooksUrl: receiving?.url, close: () => Promise.all([forwarding.close(), receiving?.close()]) };
}

function greet(url: string, origin: string, { output, allowWrites }: Pick<Options, 'output' | 'allowWrites'>): void {
  say(`${url} forwards to ${origin}, and what it sees goes to ${output}.`);
  say(`Calls that may change data are ${allowWrites ? 'forwarded' : 'refused (--allow-writes forwards them)'}. Ctrl-C ends it.`);
}

const signalled = (): Promise<unknown> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });

/** Runs a task, but never twice at the same time. If it is asked for while it runs, it runs again afterwards. */
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
