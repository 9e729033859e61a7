import { availableParallelism } from 'node:os';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { parseDuration } from '../../../gateway/base/duration.ts';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { outcomeOf } from '../../../gateway/webhooks/sending/outcome.ts';
import { isRecord, jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { type OpenGateway, ReferenceGateways } from '../reference-gateway.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { type Batch, fileBatches, type IsWanted } from './batches.ts';
import { translated } from './beside.ts';
import { explained, remarked } from './explained.ts';
import { type Answer, type Harness, openHarness, type Seen } from './harness.ts';
import { type Mismatch, type PactResults, runPact } from './pact.ts';
import type { InteractionResult, Problem, Verifiable, Verification } from './result.ts';
import type { PactSource } from './sources.ts';
import { type Address, addressSubject, type Receiver, receiverSubject, referenceSubject, type Subject } from './subjects.ts';
import { idOfState } from './tie.ts';

/**
 * The verifier's deadline for one request, in milliseconds. It is longer than any request takes: the harness limits each call to
 * the provider, and one set-up may make a call for each of many states.
 */
const verifierDeadlineMs = 3_600_000;

export interface VerifyInput {
  provider: Verifiable;
  from: readonly PactSource[];
  /** The interactions to verify. Default: all. */
  only?: IsWanted | undefined;
  /** Default: the reference implementation. */
  at?: Address | Receiver | undefined;
  /** Opens the reference implementation; tests pass a changed one. */
  reference?: OpenGateway | undefined;
  /** Called when an interaction begins. `place` starts at 1. */
  onInteraction?: ((seen: Seen, place: number) => void) | undefined;
}

export interface Verified {
  verification: Verification;
  /** The provider's answer to each interaction. */
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
  const { provider, from, at, only = () => true } = input;
  const startedMs = Date.now();
  let place = 0;
  const subjects = subjectsOf(input);
  const harness = await openHarness(
    async () => subjects.open(),
    (seen) => input.onInteraction?.(seen, ++place),
  );
  const runs = at ? 1 : Math.min(availableParallelism() + 1, mostRuns);
  const batches = from.flatMap((source) => fileBatches(at ? source : inOurWords(source), harness, only, runs));
  try {
    const wanted = batches.filter(({ isUnwanted }) => !isUnwanted);
    const parts = await inParallel(wanted, runs, (batch) => verifyBatch(input, batch, harness));
    const all = <Key extends keyof Part>(key: Key) => parts.flatMap((part) => part[key] as unknown[]) as Part[Key];
    const named = new Hider();
    const [interactions, unfinished] = [all('interactions'), [...new Set(all('unfinished'))].map(named.text)];
    if (interactions.length === 0) throw new CouldNotRun(unfinished.join(' '));
    const verification: Verification = {
      provider,
      target: at ? { kind: 'address', url: named.text('secret' in at ? at.url : at.baseUrl) } : { kind: 'reference' },
      startedAt: new Date(startedMs).toISOString(),
      durationMs: Date.now() - startedMs,
      interactions,
      notices: all('notices').map(named.text),
      unfinished,
    };
    return { verification, recorded: all('recorded') };
  } finally {
    await harness.close();
    await subjects.close();
  }
}

/**
 * The maximum number of Pact's verifiers that run at once: one more than the two cores, because each waits for our own process,
 * which serves all of them.
 */
const mostRuns = 3;

/** Does the work for all items, for `most` of them at the same time. Returns the results in the order of the items. */
async function inParallel<I, R>(items: readonly I[], most: number, work: (item: I) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}

/** The results of one run of Pact's verifier. */
interface Part extends Pick<Verification, 'interactions' | 'notices' | 'unfinished'>, Pick<Verified, 'recorded'> {}

/** Never throws `CouldNotRun`, so a pact that cannot be verified does not lose the results of the others. */
async function verifyBatch(input: VerifyInput, batch: Batch, harness: Harness): Promise<Part> {
  const { provider } = input;
  try {
    const results = await batch.run((options) => runPact({ ...commonOptions(provider, harness), ...options }));
    await harness.finish(batch.ids);
    const seen = batch.ids.flatMap((id) => harness.seen(id) ?? []);
    return {
      interactions: joined(input, results, harness),
      notices: seen.flatMap(notReturned),
      unfinished: [...unverified(batch, results, harness), ...seen.flatMap(leftBehind)],
      recorded: seen.flatMap(({ source, index, answer }) => (answer ? [{ source, index, answer }] : [])),
    };
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return {
      interactions: [],
      notices: [],
      unfinished: [error.message],
      recorded: [],
    };
  }
}

const commonOptions = (provider: Verifiable, harness: Harness): VerifierOptions => ({
  provider,
  providerBaseUrl: harness.url,
  providerStatesSetupUrl: harness.stateUrl,
  providerStatesSetupTeardown: true,
  providerStatesSetupBody: true,
  transports: [{ protocol: 'message', port: harness.port, path: harness.messagePath }],
  timeout: verifierDeadlineMs,
  logLevel: 'error',
});

/** Returns a function that opens the provider for an interaction. */
function subjectsOf({ provider, at, reference }: VerifyInput): { open(): Promise<Subject> | Subject; close(): Promise<void> } {
  const close = async () => {};
  if (at && 'secret' in at) return { open: () => receiverSubject(at), close };
  if (provider === 'webhook-receiver') throw new CouldNotRun('verify webhook-receiver needs --base-url and --secret.');
  if (at) return { open: () => addressSubject(provider, at), close };
  const gateways = new ReferenceGateways(provider, reference);
  return { open: () => referenceSubject(provider, gateways), close: () => gateways.close() };
}

/** Translates the partner's own words for states to ours. A partner's own provider gets its words unchanged. */
const inOurWords = (source: PactSource): PactSource => ({
  ...source,
  interactions: source.interactions.map((one) => ({ ...one, states: translated(one.states, source.beside ?? { states: {} }) })),
});

const leftBehind = ({ written, leftBehind: errors }: Seen) => errors.map((error) => about(written.description, error));

/** A dash, not a colon: with a colon, a description such as `obtain a token` would look like the name of a secret. */
const about = (description: string, text: string): string => `${description} – ${text}`;

/** A header of `--header` may be a secret, whatever its name is. */
const headerValues = (at: VerifyInput['at']): string[] => Object.values(at?.headers ?? {});

/** Returns a note about each value that no state returned. The verifier sends the pact's example in its place. */
function notReturned({ written, values, failures, secrets }: Seen): string[] {
  if (failures.length > 0) return [];
  const known = Object.keys(values);
  const hider = new Hider([...secrets, ...secretsIn(written)]);
  const returned = known.length === 0 ? 'They returned none.' : `They returned ${known.join(', ')}.`;
  return [...new Set(written.stateValues)]
    .filter((name) => !known.includes(name))
    .map((name) => about(written.description, `No state returned \${${name}}, so the pact's example was sent. ${returned}`))
    .map(hider.text);
}

/** Joins the verifier's verdicts with the recorded traffic. */
const joined = ({ provider, at }: VerifyInput, { interactionResults }: PactResults, harness: Harness) =>
  interactionResults.flatMap((verdict): InteractionResult[] => {
    const seen = seenOf(verdict, harness);
    if (seen === undefined) return [];
    const { written, source, exchange, failures } = seen;
    const problems = problemsOfVerdict(provider, verdict, seen);
    const isPending = verdict.pending || source.isPending === true;
    const couldNotRun = failures.some((one) => one.couldNotRun) || problems.some(({ message }) => brokenRule.test(message));
    const hider = new Hider([...seen.secrets, ...headerValues(at), ...secretsIn(written), ...secretsIn(exchange)]);
    return [
      hider.interaction({
        consumer: verdict.consumer,
        provider: verdict.provider || provider,
        source: source.source,
        ...(written.id !== undefined && { id: written.id }),
        kind: written.kind,
        description: verdict.description,
        states: written.states,
        outcome: problems.length === 0 ? 'verified' : isPending ? 'pending' : 'failed',
        ...(problems.length > 0 && isPending && { pendingBecause: written.pending ? 'pact' : 'broker' }),
        ...(couldNotRun && { couldNotRun: true }),
        durationMs: durationMs(verdict.duration),
        problems: explained(provider, seen, problems, { isReference: at === undefined }),
        restsOn: written.restsOn,
        exchange,
      }),
    ];
  });

type Verdict = PactResults['interactionResults'][number];

const seenOf = ({ providerStates: [state = ''] }: Verdict, harness: Harness) => harness.seen(idOfState(state) ?? '');

/** Pact's words for a matching rule that it cannot use: the pact is wrong, and says nothing about the provider. */
const brokenRule = /is not a valid regular expression/;

/** Returns what is wrong with an interaction; an empty list if it is verified. */
function problemsOfVerdict(provider: Verifiable, verdict: Verdict, { failures, exchange }: Seen): Problem[] {
  if (failures.length > 0) return failures.map(({ kind, message }) => ({ kind, message }));
  const status = exchange.reply?.status ?? 0;
  if (provider === 'webhook-receiver' && outcomeOf(status) === 'redirect') return [redirected(status)];
  return verdict.result === 'OK' ? [] : problemsIn(verdict);
}

const redirected = (status: number): Problem => ({
  kind: 'status',
  expected: '2xx',
  actual: String(status),
  message: 'The gateway does not follow redirects and counts them as failures: use the final address, and answer there with 2xx.',
});

/** The verifier reads copies of the pacts, whose names say nothing to the reader. */
const aboutTemporaryFile = /Failed to load pact(?: '[^']*' -|:) /g;

/** Returns the interactions that the verifier did not verify, so that none passes unchecked. */
function unverified({ name, ids }: Batch, { interactionResults, errors, result }: PactResults, harness: Harness): string[] {
  const why = errors
    .map(({ interaction, mismatch }) => [interaction, mismatch?.message].filter(Boolean).join(': '))
    .join(' ')
    .replaceAll(aboutTemporaryFile, '');
  const verified = new Set(interactionResults.map((verdict) => seenOf(verdict, harness)));
  const missing = ids.flatMap((id) => harness.seen(id) ?? []).filter((seen) => !verified.has(seen));
  if (missing.length > 1 && missing.length === ids.length)
    return [`${name}: none of its ${missing.length} interactions was verified. ${why}`.trimEnd()];
  if (missing.length > 0)
    return missing.map(({ written }) => `${name}: "${written.description}" was not verified. ${why}`.trimEnd());
  const isRefused = !result && interactionResults.every((one) => one.result === 'OK');
  if (ids.length === 0 || isRefused) return [`${name} could not be verified: ${why || 'it has no interaction.'}`];
  return [];
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

/** Pact's words for a text that does not match an expression, in a body or in a header. */
const unmatched = /Expected '(?<actual>.*)' to match '(?<expression>.*)'$/s;

/** Returns true if an expression matches a part of a text. Pact's syntax is not quite JavaScript's. */
function matchesPart(expression: string, text: string): boolean {
  try {
    return new RegExp(expression).test(text);
  } catch {
    return false;
  }
}

/** Says what an expression was compared with: the example beside it may be the same as the reply's value. */
function aboutExpression(mismatch: string): Pick<Problem, 'message'> & { expected?: string } {
  const { actual = '', expression } = unmatched.exec(mismatch)?.groups ?? {};
  if (expression === undefined) return { message: mismatch };
  const whole = `Pact compares an expression with the whole text, and "${expression}" matches only a part of it. Add ".*" where other text may stand.`;
  return {
    expected: `text that matches ${expression}`,
    message: matchesPart(expression, actual) ? remarked(mismatch, whole) : mismatch,
  };
}

/** Converts a mismatch to problems: one for each missing field, otherwise one. */
function problemsOf({ type, mismatch = '', path, key, expected, actual }: Mismatch): Problem[] {
  const place = path ?? key;
  const [, missing] = missingKeys.exec(mismatch) ?? [];
  if (missing !== undefined)
    return missing.split(', ').map((name) => ({
      kind: 'body',
      path: `${place}.${name}`,
      message: `The field is missing. ${didYouMean(name, namesIn(actual))}`.trimEnd(),
    }));
  return [
    {
      kind: kinds[type] ?? 'provider',
      ...(place === undefined ? {} : { path: place }),
      ...(expected === undefined ? {} : { expected: shown(expected) }),
      ...(actual === undefined ? {} : { actual: shown(actual) }),
      ...aboutExpression(mismatch),
    },
  ];
}

/** The names of the fields that are there: Pact writes them as a list. */
function namesIn(actual: unknown): string[] {
  const names = typeof actual === 'string' ? jsonOr(actual, []) : actual;
  return Array.isArray(names) ? names.map(String) : [];
}

const order: readonly Problem['kind'][] = ['state', 'provider', 'status', 'header', 'metadata', 'body'];

/** Sorts problems, because Pact's order varies between runs. */
function inOrder(problems: Problem[]): Problem[] {
  const natural = new Intl.Collator('en', { numeric: true });
  return problems.toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || natural.compare(one.path ?? '', other.path ?? ''),
  );
}

/** Returns a value as text. Pact writes the objects of some lists as texts: `["{\"id\":1}"]`. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const list = jsonOr(text, undefined);
  const isOfTexts = Array.isArray(list) && list.length > 0 && list.every((one) => isRecord(jsonOr(String(one), undefined)));
  return isOfTexts ? `[${list.join(',')}]` : text;
}

/** Returns the milliseconds of a duration as Pact's verifier prints it, such as `1.34s`; 0 if it prints none. */
export const durationMs = (text: string): number => parseDuration(text) ?? 0;
