import { Command } from 'commander';
import { lackedField } from '../contracts/tools/observed/exchange.ts';
import { readIfThere, writeObserved } from '../contracts/tools/observed/file.ts';
import { openForwarding, openReceiving } from '../contracts/tools/observed/forward.ts';
import { Observation } from '../contracts/tools/observed/observation.ts';
import { observedReport } from '../contracts/tools/observed/report.ts';
import { receiverAt, serviceAt } from '../contracts/tools/observed/upstream.ts';
import type { Webhook } from '../contracts/tools/observed/webhook.ts';
import { plain } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { apiArgument, exitCodes, onStandardOutput, port, say, tell } from './command.ts';

interface Options {
  upstream: string;
  output: string;
  port: number;
  host: string;
  allowWrites: boolean;
  json: boolean;
  webhooksTo?: string;
  webhooksPort: number;
}

const examples = `
Examples:
  $ passerelle observe pos --upstream https://sandbox.example
  $ passerelle observe pos --upstream https://sandbox.example --allow-writes --output sandbox.json
  $ passerelle observe cohesion --upstream https://sandbox.example --webhooks-to http://127.0.0.1:9000/hook

Send your tests to the address that it prints. It forwards each call unchanged, and judges it. The file has no value of a call. Then:
  $ passerelle stub pos --observed observed.json
  $ passerelle gaps --observed observed.json

With --webhooks-to it prints a second address: give that one to the service as your endpoint, through a tunnel if need be. Webhooks reach
your receiver unchanged, so their signatures stay valid.

Without --allow-writes it refuses calls that may change data. Running it again adds to the file. It serves until Ctrl-C.
Exit codes: 0 stopped by Ctrl-C, 2 could not run.`;

export const observeCommand = (): Command =>
  new Command('observe')
    .summary('find out from a real service how it answers what the documents leave open')
    .description(
      'Stands between your tests and the real service. It compares each call with our choices and with their alternatives, and writes what it sees to a file.',
    )
    .addArgument(apiArgument('<api>', 'the API of the service'))
    .requiredOption('--upstream <url>', 'the service: https, or an address of this machine. Paths of calls are added to it')
    .option('--output <file>', 'the file to write, and to add to', 'observed.json')
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 4040)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-writes', 'forward calls that may change data too', false)
    .option('--webhooks-to <url>', 'pass webhooks of the service on to this receiver, and judge them too')
    .option('--webhooks-port <number>', 'port for webhooks to listen on; 0 takes a free one', port, 4041)
    .option('--json', 'print the file at the end, and nothing else', false)
    .addHelpText('after', examples)
    .action(async (api: ServiceName, options: Options) => {
      await run(api, options);
      process.exitCode = exitCodes.ok;
    });

async function run(api: ServiceName, options: Options): Promise<void> {
  const { output, json, allowWrites, webhooksTo, host } = options;
  const ended = signalled();
  const upstream = serviceAt(options.upstream);
  const receiver = webhooksTo === undefined ? undefined : receiverAt(webhooksTo);
  const observation = new Observation(api, upstream.origin, await readIfThere(output, api), output);
  let saved = writeObserved(output, observation.observed);
  await saved;
  // After each call, so that a run that is killed leaves what it saw. Never twice at the same time.
  const save = () => {
    saved = saved.then(() => writeObserved(output, observation.observed));
    saved.catch((error: Error) => tell(plain(error.message)));
  };
  const around = { host, onRefusal: (reason: string) => tell(plain(reason)) };
  const forwarding = await openForwarding({
    ...around,
    api,
    upstream,
    allowWrites,
    port: options.port,
    onCall(exchange) {
      const lacked = lackedField(api, exchange);
      if (lacked) tell(`a success without ${lacked}, which the document shows, was forwarded, and not judged.`);
      observation.add(exchange);
      save();
    },
  });
  const onWebhook = (webhook: Webhook) => {
    observation.addWebhook(webhook);
    save();
  };
  try {
    const receiving = receiver && (await openReceiving({ ...around, receiver, port: options.webhooksPort, onWebhook }));
    if (!json) greet(forwarding.url, upstream.origin, options);
    if (!json && receiving) say(`${receiving.url} passes webhooks on to ${webhooksTo?.split('?')[0]}.`);
    await ended;
    await receiving?.close();
  } finally {
    await forwarding.close();
    await saved;
  }
  const { observed } = observation;
  const report = () => `${textReport(observedReport(observed), onStandardOutput())}Written to ${output}.`;
  say(json ? JSON.stringify(observed, null, 2) : report());
}

function greet(url: string, origin: string, { output, allowWrites }: Pick<Options, 'output' | 'allowWrites'>): void {
  say(`${url} forwards to ${origin}, and what it sees goes to ${output}.`);
  say(`Calls that may change data are ${allowWrites ? 'forwarded' : 'refused (--allow-writes forwards them)'}. Ctrl-C ends it.`);
}

const signalled = (): Promise<unknown> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
