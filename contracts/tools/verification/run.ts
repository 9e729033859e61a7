import type { VerifierOptions } from '@pact-foundation/pact-core';
import { parseDuration } from '../../../gateway/base/duration.ts';
import { resultsNotRecorded } from '../broker/verifier-options.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { Start } from '../reference.ts';
import { explain } from './explain.ts';
import { type Answer, openHarness, type Seen } from './harness.ts';
import { type Mismatch, type PactResults, runPact } from './pact.ts';
import { eventTypeOf, type PactInteraction } from './pact-file.ts';
import type { Exchange, InteractionResult, Problem, Verifiable, Verification } from './result.ts';
import type { PactSource } from './sources.ts';
import { type Address, addressSubject, type Receiver, receiverSubject, referenceSubject, type Subject } from './subjects.ts';

export interface VerifyInput {
  provider: Verifiable;
  /** Pacts that were read, or the verifier's options for a broker. */
  from: readonly PactSource[] | Partial<VerifierOptions>;
  /** Default: the reference implementation. */
  at?: Address | Receiver | undefined;
  /** Starts the reference implementation; tests pass a changed one. */
  start?: Start | undefined;
  /** Called when an interaction begins. `place` starts at 1. */
  onInteraction?: ((seen: Seen, place: number) => void) | undefined;
}

export interface Verified {
  verification: Verification;
  /** The provider's answer to each interaction of pacts that were read. */
  recorded: Recorded[];
}

export interface Recorded {
  source: PactSource;
  /** The interaction's index in its pact. */
  index: number;
  answer: Answer;
}

/** Verifies HTTP and message pacts in one run. Throws `CouldNotRun` if nothing could be verified. */
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
      // If the counts differ, the recorded traffic cannot be assigned to interactions: report none.
      const all = harness.seen.slice(before);
      const seen = all.length === results.interactionResults.length ? all : [];
      interactions.push(...joined(provider, results, seen, source));
      if (source) recorded.push(...seen.flatMap(({ answer }, index) => (answer ? [{ source, index, answer }] : [])));
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
  throw new CouldNotRun('--provider webhook-receiver needs --base-url and --secret.');
}

const isFiles = (from: VerifyInput['from']): from is readonly PactSource[] => Array.isArray(from);

/** Joins the verifier's verdicts with the recorded traffic; both have the pact's order. */
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
      durationMs: durationMs(verdict.duration),
      problems: failed ? found.map(explained) : [],
      restsOn: written?.restsOn ?? [],
      exchange,
    };
  });
}

/** Returns a function that adds the document's line and the gap to a problem, if there are any. */
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

/** Returns true if no interaction was selected, or if the verifier could not read a pact. */
const isIncomplete = ({ interactionResults, result }: PactResults) =>
  interactionResults.length === 0 || (!result && interactionResults.every((one) => one.result === 'OK'));

function whyIncomplete({ errors }: PactResults): string {
  const why = errors.map(({ interaction, mismatch }) => [interaction, mismatch?.message].filter(Boolean).join(': '));
  return `Not everything could be verified. ${why.join(' ') || 'The pacts have no interaction.'}`;
}

/** Returns the broker's notes, which the verifier prints, and failures to record results, which it only logs. */
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

/** Returns the problems of a verdict that is not OK: at least one. */
export function problemsIn({ mismatch }: PactResults['interactionResults'][number]): Problem[] {
  const found = inOrder(mismatch?.mismatches.flatMap(problemsOf) ?? []);
  return found.length > 0 ? found : [{ kind: 'provider', message: mismatch?.message ?? 'The verifier gives no reason.' }];
}

const missingKeys = /^Actual map is missing the following keys: (.+)$/;

/** Converts a mismatch to problems: one for each missing field, otherwise one. */
function problemsOf({ type, mismatch = '', path, key, expected, actual }: Mismatch): Problem[] {
  const place = path ?? key;
  const [, missing] = missingKeys.exec(mismatch) ?? [];
  if (missing !== undefined)
    return missing.split(', ').map((name) => ({
      kind: 'body',
      path: `${place}.${name}`,
      message: `The field is missing. Actual value: ${actual === undefined ? 'none' : shown(actual)}.`,
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

/** Sorts problems, because Pact's order varies between runs. */
function inOrder(problems: Problem[]): Problem[] {
  const natural = new Intl.Collator('en', { numeric: true });
  return problems.toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || natural.compare(one.path ?? '', other.path ?? ''),
  );
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the milliseconds of a duration as Pact's verifier prints it, such as `1.34s`; 0 if it prints none. */
export const durationMs = (text: string): number => parseDuration(text) ?? 0;
