import type { CallFacts } from '../stubs/faults/faults.ts';
import { Faults } from '../stubs/faults/faults.ts';

type Made = ConstructorParameters<typeof Faults>;

interface PlaysInput {
  /** Names a call. Attempts of one request have the same name. Undefined: it is not played. */
  nameOf(call: CallFacts): string | undefined;
  /** True if all attempts of a request fail, and not the first only. */
  lasts: boolean;
  /** The most attempts that fail. */
  most: number;
}

/** Faults that are played at some calls, so that the attempt after it works. */
export class Plays extends Faults {
  readonly #input: PlaysInput;
  readonly #played = new Set<string>();
  #left: number;

  constructor(input: PlaysInput, ...made: Made) {
    super(...made);
    this.#input = input;
    this.#left = input.most;
  }

  /** A call has a name once its body is read. */
  override looksAtBody({ operation }: CallFacts): boolean {
    return this.list().some(({ rule }) => rule.operation === operation);
  }

  override choose(call: CallFacts, ...asked: Parameters<Faults['choose']> extends [CallFacts, ...infer R] ? R : never) {
    if (call.isWebhook || !this.looksAtBody(call)) return super.choose(call, ...asked);
    const { nameOf, lasts } = this.#input;
    const name = nameOf(call);
    const isOver = name === undefined || this.#left === 0 || (!lasts && this.#played.has(name));
    if (isOver) return asked[0] ?? {};
    this.#played.add(name);
    this.#left -= 1;
    return super.choose(call, ...asked);
  }
}
