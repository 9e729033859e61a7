import type { ServiceName } from '../contracts/documents/services.ts';
import { jsonOr } from '../contracts/json.ts';
import { operationsOf, type ProviderOperation } from '../contracts/openapi/operations.ts';
import { fieldsIn } from '../contracts/tools/coverage/coverage.ts';
import type { CallFacts } from '../stubs/faults/faults.ts';
import type { RecordedCall } from '../stubs/journal/call.ts';

/** What the stub of an API saw in a run. */
export interface Seen {
  /** In the order in which they began. */
  calls: RecordedCall[];
  /** The types of the events that a receiver accepted. */
  events: string[];
}

type Facts = Pick<CallFacts, 'method' | 'path' | 'operation' | 'query' | 'body'>;

/** The text of a request. It is the same for all attempts of the request. Headers are no part of it. */
const textOf = ({ method, path, query, body }: Facts): string => JSON.stringify([method, path, query, body]);

/** A call as it was before it was answered. */
export const factsOf = ({ method, path, operation, query, requestBody }: RecordedCall): Facts => ({
  method,
  path,
  operation,
  query,
  body: jsonOr(requestBody, requestBody || undefined),
});

/** Sorts calls by their beginning, which their ids show. They are reported when they end, and their times are rounded. */
export const inOrder = (calls: readonly RecordedCall[]): RecordedCall[] =>
  calls.toSorted((one, other) => (one.id < other.id ? -1 : 1));

export const textOfCall = (call: RecordedCall): string => textOf(factsOf(call));

const statusOf = ({ keptBack, status }: RecordedCall) => keptBack ?? status;

/** True if the call did its work, also if the client does not know. The reply of an earlier call, given again, is no work. */
export const isDone = (call: RecordedCall): boolean =>
  statusOf(call) >= 200 && statusOf(call) < 300 && call.responseHeaders['idempotency-replayed'] === undefined;

/** True for the operations that need no token. */
export const isSignIn = ({ operation }: ProviderOperation): boolean => operation.security?.length === 0;

/** True for the operations that change something. */
export const isWrite = (one: ProviderOperation): boolean => one.method !== 'GET' && !isSignIn(one);

/** The use of an API in runs without a failure. */
export class Plain {
  readonly api: ServiceName;
  readonly events: readonly string[];
  /** The operations that they use, in the order of the document. */
  readonly operations: readonly ProviderOperation[];
  readonly notUsed: readonly string[];
  /** The names of the successful requests of each operation, in the order of the first run. */
  readonly #names = new Map<string, Set<string>>();
  /** The texts that every run has. Those of the other requests have values that change, such as times. */
  readonly #stable: ReadonlySet<string>;
  readonly #most: { attempts: Map<string, number>; done: Map<string, number> };

  constructor(api: ServiceName, runs: readonly Seen[]) {
    const [first = { calls: [], events: [] }, ...others] = runs;
    this.api = api;
    this.events = [...new Set(first.events)].sort();
    const inRuns = others.map(({ calls }) => new Set(calls.map(textOfCall)));
    this.#stable = new Set(first.calls.map(textOfCall).filter((text) => inRuns.every((texts) => texts.has(text))));
    this.#most = {
      attempts: mostOf(runs.map(({ calls }) => countsOf(calls))),
      done: mostOf(runs.map(({ calls }) => countsOf(calls.filter(isDone)))),
    };
    for (const call of first.calls.filter(isDone)) {
      const { operation = '' } = call;
      const names = this.#names.get(operation) ?? new Set();
      this.#names.set(operation, names.add(this.nameOf(factsOf(call))));
    }
    const all = operationsOf(api);
    this.operations = all.filter(({ operation }) => this.#names.has(operation.operationId ?? ''));
    this.notUsed = all.filter((one) => !this.operations.includes(one)).map(({ method, path }) => `${method} ${path}`);
  }

  /** The requests of an operation at which a failure can be played. */
  requestsOf = ({ operation }: ProviderOperation): string[] => [...(this.#names.get(operation.operationId ?? '') ?? [])];

  /** Names a request by its text, or by its parameters and fields if their values change. */
  nameOf(facts: Facts): string {
    const text = textOf(facts);
    const { operation = '', query = {}, body } = facts;
    return this.#stable.has(text) ? text : [operation, ...Object.keys(query), ...fieldsIn(body)].join(' ');
  }

  isStable = (text: string): boolean => this.#stable.has(text);

  /** How often a request is made: by its text, or else once. */
  attemptsOf = (text: string): number => (this.#stable.has(text) ? (this.#most.attempts.get(text) ?? 0) : 1);

  /** How often its work is done: by its text, or by the operation. */
  doneOf = (textOrOperation: string): number => this.#most.done.get(textOrOperation) ?? 0;
}

/** Counts calls by their texts and by their operations. */
export function countsOf(calls: readonly RecordedCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of calls.flatMap((call) => [textOfCall(call), call.operation ?? '']))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const mostOf = (counts: readonly Map<string, number>[]): Map<string, number> =>
  new Map(counts.flatMap((one) => [...one.keys()]).map((key) => [key, Math.max(...counts.map((one) => one.get(key) ?? 0))]));
