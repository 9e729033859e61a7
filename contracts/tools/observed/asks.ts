import { isRecord } from '../../json.ts';
import type { SeenCall } from './call.ts';
import { finding, not, nothing, type Recogniser, type Said } from './finding.ts';

/** A request that not every way takes, and what follows from its reply. */
export interface Ask {
  on: string | readonly string[];
  gap: string;
  /** In words that hold no value of the call: `a sale without total`. */
  what: string;
  asks(call: SeenCall, earlier: readonly SeenCall[]): boolean;
  /** The fields of which a refusal must name one. Default: it need not name any. */
  names?: string | ((call: SeenCall) => readonly string[]);
  /** What a refusal must say. Default: nothing. */
  says?: RegExp;
  /** What follows if it is taken. Default: that it is not `refused`. */
  taken?: Said;
  /** What follows if it is refused for this. Default: that it is not `taken`. */
  refused?: Said;
}

const otherThan = (said: Said | undefined): Said => (typeof said === 'string' ? not(said) : not());

export const recogniserOf =
  ({ on, gap, what, asks, names, says: words = /(?:)/, taken, refused }: Ask): Recogniser =>
  (call, earlier) => {
    if (!call.isOn(...[on].flat()) || typeof call.asked.body === 'string' || !asks(call, earlier)) return nothing;
    if (call.isSuccess) return finding(gap, taken ?? otherThan(refused), `${what} is taken`);
    const isNamed = names === undefined || call.isRefusedFor(...(typeof names === 'string' ? [names] : names(call)));
    return call.isInvalid && call.says(words) && isNamed
      ? finding(gap, refused ?? otherThan(taken), `${what} is refused`)
      : nothing;
  };

const phraseOf = (name: string, isAsked: (value: never) => boolean) =>
  isAsked === isMissing ? `a call without ${name}` : `a value of ${name} that not every choice takes`;

/** A request with this value of a field, which is undefined if it is not sent. */
export const value = (
  on: string | readonly string[],
  field: string,
  isAsked: (value: unknown) => boolean,
  rest: Pick<Ask, 'gap' | 'taken' | 'refused' | 'says'>,
): Ask => ({
  on,
  names: field,
  what: phraseOf(field, isAsked),
  asks: (call) => isRecord(call.asked.body) && isAsked(call.sent[field]),
  ...rest,
});

/** A query parameter with one of these values. */
export const parameter = (
  on: string | readonly string[],
  name: string,
  isAsked: (value: string | undefined) => boolean,
  rest: Pick<Ask, 'gap' | 'taken' | 'refused'>,
): Ask => ({ on, names: name, what: phraseOf(name, isAsked), asks: ({ asked }) => isAsked(asked.query[name]), ...rest });

export const isMissing = (one: unknown): boolean => one === undefined;
export const isOneOf =
  (...all: string[]) =>
  (one: unknown): boolean =>
    all.includes(String(one));
