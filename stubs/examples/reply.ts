import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean, nearestOf } from '../../gateway/base/nearest.ts';
import { readOwnJson } from '../../gateway/base/own-files.ts';
import type { ServiceName } from '../../spec/documents/services.ts';

/** A reply that the reference implementation gave, as `stubs/examples/write.ts` wrote it. */
export interface ExampleReply {
  /** The operationId. */
  operation: string;
  /** Unique within its operation: `insufficient_stock`. */
  name: string;
  /** What led to the reply, in a sentence. */
  cause: string;
  status: number;
  /** The headers that belong to this reply. Those of every reply are left out. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** In the file, operations with the same reply share an entry. */
export type WrittenExample = Omit<ExampleReply, 'operation'> & { operations: string[] };

// The bundler finds only places that are written out.
const written: Readonly<Record<ServiceName, URL>> = {
  pos: new URL('./made/pos.json', import.meta.url),
  cohesion: new URL('./made/cohesion.json', import.meta.url),
};

/** Every example of an API. If an operation has several examples with one status, the first is the usual one. */
export const examplesOf = (api: ServiceName): Examples =>
  new Examples(() => {
    const examples = readOwnJson(written[api]) as WrittenExample[];
    return examples.flatMap(({ operations, ...example }) => operations.map((operation) => ({ operation, ...example })));
  });

const isStatus = (text: string) => /^[2-5]\d\d$/.test(text);

/** Examples to choose from by operation, status and name. */
export class Examples {
  readonly #read: () => readonly ExampleReply[];
  #all: readonly ExampleReply[] | undefined;

  /** `read` is called when an example is first asked for. */
  constructor(read: () => readonly ExampleReply[]) {
    this.#read = read;
  }

  get all(): readonly ExampleReply[] {
    this.#all ??= this.#read();
    return this.#all;
  }

  /** The examples of an operation; all of them if none is given. Throws `CouldNotRun` if it has none. */
  of(operation: string | undefined): readonly ExampleReply[] {
    if (operation === undefined) return this.all;
    const own = this.#of(operation);
    if (own.length > 0) return own;
    const known = [...new Set(this.all.map((one) => one.operation))];
    throw new CouldNotRun(`"${operation}" is not an operation with examples. Did you mean ${nearestOf(operation, known)}?`);
  }

  #of(operation: string): ExampleReply[] {
    return this.all.filter((one) => one.operation === operation);
  }

  /** The operation's first example with this status; without one the first success. */
  withStatus(operation: string | undefined, status?: number): ExampleReply | undefined {
    if (operation === undefined) return undefined;
    return this.#of(operation).find((one) => (status === undefined ? one.status < 300 : one.status === status));
  }

  /** The statuses of an operation's examples, in order: those that its document lists. Empty if it has none. */
  statusesOf(operation: string | undefined): number[] {
    const own = operation === undefined ? [] : this.#of(operation);
    return [...new Set(own.map(({ status }) => status))].sort((one, other) => one - other);
  }

  named(operation: string | undefined, name: string): ExampleReply | undefined {
    return operation === undefined ? undefined : this.#of(operation).find((one) => one.name === name);
  }

  /** The example of a name, or of a status such as `404`; without either the first success. */
  find(operation: string | undefined, wanted: string | undefined): ExampleReply | undefined {
    if (wanted === undefined) return this.withStatus(operation);
    return isStatus(wanted) ? this.withStatus(operation, Number(wanted)) : this.named(operation, wanted);
  }

  /** Says which examples there are, and which of them `name` is nearest to. */
  hint(operation: string | undefined, name: string): string {
    const names = [...new Set((operation === undefined ? this.all : this.#of(operation)).map((one) => one.name))];
    if (names.length === 0) return 'It has no examples.';
    return `${didYouMean(name, names)}The examples are ${names.join(', ')}.`;
  }
}
