import type { VerifierOptions } from '@pact-foundation/pact-core';
import { resultsNotRecorded } from '../broker/verifier-options.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { Start } from '../reference.ts';
import { explain } from './explain.ts';
import { openHarness, type Said, type Seen } from './harness.ts';
import { type Mismatch, type PactResults, runPact } from './pact.ts';
import { eventTypeOf, type PactInteraction } from './pact-file.ts';
import type { Exchange, InteractionResult, Problem, Verifiable, Verification } from './result.ts';
import type { PactSource } from './sources.ts';
import { type Address, addressSubject, type Receiver, receiverSubject, referenceSubject, type Subject } from './subjects.ts';

export interface VerifyInput {
  provider: Verifiable;
  /** Pacts that were read already; or what a broker is asked, in the verifier's own options. */
  from: readonly PactSource[] | Partial<VerifierOptions>;
  /** Left out: the reference implementation, started for this. */
  at?: Address | Receiver | undefined;
  /** Starts the reference; tests hand in one that is not as documented. */
  start?: Start | undefined;
  /** Called as each interaction begins. */
  onInteraction?: ((seen: Seen, place: number) => void) | undefined;
}

export interface Verified {
  verification: Verification;
  /** What the provider said to each interaction of pacts that were read. */
  recorded: Recorded[];
}

export interface Recorded {
  source: PactSource;
  /** The interaction's place in its pact. */
  index: number;
  said: Said;
}

/** Verifies pacts, HTTP and messages in one run. Throws `CouldNotRun` where nothing could be verified at all. */
export async function verify(input: VerifyInput): Promise<Verified> {
  const { provider, from, at } = input;
  const startedMs = Date.now();
  const openSubject = async () => subjectOf(input);
  let place = 0;
  const harness = await openHarness(openSubject, (seen) => input.onInteraction?.(seen, ++place));
  try {
    const common: VerifierOptions = {
      provider,
      providerBaseUrl: harness.url,
      providerStatesSetupUrl: harness.stateUrl,
      providerStatesSetupTeardown: true,
      providerStatesSetupBody: true,
      transports: [{ protocol: 'message', port: harness.port, path: harness.messagePath }],
      logLevel: 'error',
    };
    const batches = isFiles(from)
      ? from.map((source) => ({ source, more: { pactUrls: [source.file] } }))
      : [{ source: undefined, more: from }];
    const interactions: InteractionResult[] = [];
    const notices: string[] = [];
    const recorded: Recorded[] = [];
    for (const { source, more } of batches) {
      const before = harness.seen.length;
      const results = await runPact({ ...common, ...more });
      if (isIncomplete(results)) throw new CouldNotRun(whyIncomplete(results));
      // What cannot be told apart from its neighbour is better left without its exchange.
      const all = harness.seen.slice(before);
      const seen = all.length === results.interactionResults.length ? all : [];
      interactions.push(...joined(provider, results, seen, source));
      if (source) recorded.push(...seen.flatMap(({ said }, index) => (said ? [{ source, index, said }] : [])));
      notices.push(...noticesOf(results));
    }
    const verification: Verification = {
      provider,
      target: at ? { kind: 'address', url: 'secret' in at ? at.url : at.baseUrl } : { kind: 'reference' },
      startedAt: new Date(startedMs).toISOString(),
      durationMs: Date.now() - startedMs,
      interactions,
      notices,
    };
    return { verification, recorded };
  } finally {
    await harness.close();
  }
}

function subjectOf({ provider, at, start }: VerifyInput): Promise<Subject> | Subject {
  if (at) return 'secret' in at ? receiverSubject(at) : addressSubject(at);
  if (provider !== 'webhook-receiver') return referenceSubject(provider, start);
  throw new CouldNotRun('A receiver is verified at its address: say --base-url and --secret.');
}

const isFiles = (from: VerifyInput['from']): from is readonly PactSource[] => Array.isArray(from);

/** The verifier's verdicts beside what the harness saw: both in the order of the pact. */
function joined(provider: Verifiable, { interactionResults }: PactResults, seen: Seen[], source: PactSource | undefined) {
  return interactionResults.map((verdict, index): InteractionResult => {
    const { states = [], exchange = {}, failures = [] } = seen[index] ?? {};
    const written = source?.interactions[index];
    const found = failures.length > 0 ? failures : problemsIn(verdict);
    const failed = verdict.result !== 'OK' || failures.length > 0;
    const explained = explainer(provider, written, exchange);
    return {
      consumer: verdict.consumer,
      provider: verdict.provider || provider,
      source: source?.source ?? 'broker',
      kind: exchange.message || written?.kind === 'message' ? 'message' : 'http',
      description: verdict.description,
      states: written?.states ?? states,
      outcome: failed ? (verdict.pending ? 'pending' : 'failed') : 'verified',
      durationMs: milliseconds(verdict.duration),
      problems: failed ? found.map(explained) : [],
      restsOn: written?.restsOn ?? [],
      exchange,
    };
  });
}

/** Adds what the document says of a problem's place, where it says something and the interaction was seen so far. */
function explainer(provider: Verifiable, written: PactInteraction | undefined, { request, message }: Exchange) {
  if (provider === 'webhook-receiver') return (problem: Problem) => problem;
  const http = request && {
    kind: 'http' as const,
    method: request.method,
    path: request.path,
    ...(written?.kind === 'http' ? { status: written.reply.status } : {}),
  };
  const event = written?.kind === 'message' ? eventTypeOf(written) : eventIn(message?.body);
  const subject = http ?? (event === undefined ? undefined : { kind: 'message' as const, event });
  return (problem: Problem): Problem => (subject ? { ...problem, ...explain({ provider, ...subject }, problem) } : problem);
}

function eventIn(body: string | undefined): string | undefined {
  const parsed: unknown = body === undefined ? undefined : JSON.parse(body);
  return typeof parsed === 'object' && parsed !== null && 'event' in parsed ? String(parsed.event) : undefined;
}

/** Nothing was selected, or the verifier fails for a pact that it could not read. */
const isIncomplete = ({ interactionResults, result }: PactResults) =>
  interactionResults.length === 0 || (!result && interactionResults.every((one) => one.result === 'OK'));

function whyIncomplete({ errors }: PactResults): string {
  const why = errors.map(({ interaction, mismatch }) => [interaction, mismatch?.message].filter(Boolean).join(': '));
  return `Not everything could be verified. ${why.join(' ') || 'The pacts have no interaction.'}`;
}

/** What a broker says of each pact, which the verifier prints before it; and what it only logs. */
function noticesOf({ output, printed }: PactResults): string[] {
  const lost = resultsNotRecorded(printed).map((why) => `The results were not recorded with the broker: ${why}`);
  return [...output.filter((line) => line.startsWith('The pact at ')), ...lost];
}

const kinds: Record<string, Problem['kind']> = {
  StatusMismatch: 'status',
  HeaderMismatch: 'header',
  BodyMismatch: 'body',
  BodyTypeMismatch: 'body',
  MetadataMismatch: 'metadata',
};

/** What a verdict that is not OK finds wrong: at least one problem. */
export function problemsIn({ mismatch }: PactResults['interactionResults'][number]): Problem[] {
  const found = inOrder(mismatch?.mismatches.flatMap(problemsOf) ?? []);
  return found.length > 0 ? found : [{ kind: 'provider', message: mismatch?.message ?? 'The verifier gives no reason.' }];
}

const missingKeys = /^Actual map is missing the following keys: (.+)$/;

/** One mismatch, as one problem a place: fields that are missing are each a place of their own. */
function problemsOf({ type, mismatch = '', path, key, expected, actual }: Mismatch): Problem[] {
  const place = path ?? key;
  const [, missing] = missingKeys.exec(mismatch) ?? [];
  if (missing !== undefined)
    return missing.split(', ').map((name) => ({
      kind: 'body',
      path: `${place}.${name}`,
      message: `The field is missing. There ${actual === undefined ? 'is nothing' : `is ${shown(actual)}`}.`,
    }));
  return [
    {
      kind: kinds[type] ?? 'provider',
      ...(place === undefined ? {} : { path: place }),
      ...(expected === undefined ? {} : { expected: shown(expected) }),
      ...(actual === undefined ? {} : { actual: shown(actual) }),
      message: mismatch,
    },
  ];
}

const order: readonly Problem['kind'][] = ['state', 'provider', 'status', 'header', 'metadata', 'body'];

/** Pact's order varies from run to run. */
function inOrder(problems: Problem[]): Problem[] {
  const natural = new Intl.Collator('en', { numeric: true });
  return problems.toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || natural.compare(one.path ?? '', other.path ?? ''),
  );
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m 3s 42ms`, as Pact's verifier writes a duration. */
function milliseconds(text: string): number {
  const parts = text.matchAll(/(\d+)\s*(ms|s|m|h)/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitsMs[unit ?? ''] ?? 0), 0);
}
