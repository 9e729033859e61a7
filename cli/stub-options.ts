import { type Command, Option } from 'commander';
import { plans } from '../spec/documents/plans.ts';
import type { PlanName } from '../stubs/names.ts';
import type { StubOptions } from '../stubs/types.ts';
import { collected, port } from './command.ts';
import { type TlsOptions, tlsOf, withTlsOptions } from './stub-tls.ts';
import { type Webhook, webhookOption } from './webhook-option.ts';

/** The options of a stub, in each command that starts one for its user. */
export interface StubGiven extends TlsOptions {
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
}

/** Adds the options. `defaultPort`: in words. */
export const withStubOptions = (command: Command, defaultPort: string): Command =>
  withTlsOptions(
    command
      .option('--port <number>', `port to listen on; 0 takes a free one (default: ${defaultPort})`, port)
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
          'what happens to payments, such as pending:30s or pending:2m,refused,times=1, or sandbox for the test numbers (pos only)',
        )
          .default([], 'received')
          .argParser(collected),
      )
      .addOption(
        new Option('--fault <rule>', 'add a fault, such as createSale:status=503,times=2')
          .default([], 'none')
          .argParser(collected),
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
      .option('--console', "keep figures for the console's overview, and serve the partners' page and API at /profile", false),
  );

/** Without a default: a stub without the option takes calls from every origin. */
const corsOption = () =>
  new Option(
    '--cors <origin>',
    'let only pages of this origin call, such as http://localhost:5173 (default: every origin)',
  ).argParser(collected);

export function stubOptions({ webhook: webhooks, fault: faults, ...options }: StubGiven): StubOptions {
  const { port, host, seed, plan, limits, clock, secret, mobileMoney, assume, observed, faultSeed, cors, help, console } =
    options;
  return {
    port,
    host,
    tls: tlsOf(options),
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
