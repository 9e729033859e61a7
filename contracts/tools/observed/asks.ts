import type { ServiceName } from '../../documents/services.ts';
import { parametersOf } from '../../openapi/operations.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf, isRecord } from '../json.ts';
import { fieldsOfRequest } from './fields.ts';
import { choice, excludes, type Finding, nothing, type Recogniser, type SeenCall, shows, type Way } from './finding.ts';
import { isInvalid, isNamed, isOn, isSuccess, says, sentFields } from './look.ts';

/** The way that a reply shows, or the ways that it excludes. */
type Said = Way | { not: readonly Way[] };

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

const otherThan = (said: Said | undefined): Said => ({ not: typeof said === 'string' ? [said] : [] });

const finding = (gap: string, said: Said, because: string): Finding[] =>
  typeof said === 'string' ? shows(gap, said, because) : excludes(gap, said.not, because);

export const recogniserOf =
  ({ on, gap, what, asks, names, says: words = /(?:)/, taken, refused }: Ask): Recogniser =>
  (call, earlier) => {
    if (!isOn(call, ...[on].flat()) || typeof call.asked.body === 'string' || !asks(call, earlier)) return nothing;
    if (isSuccess(call)) return finding(gap, taken ?? otherThan(refused), `${what} is taken`);
    const wanted = typeof names === 'string' ? [names] : names?.(call);
    const isAboutIt = isInvalid(call) && says(call, words) && (wanted?.some((name) => isNamed(call, name)) ?? true);
    return isAboutIt ? finding(gap, refused ?? otherThan(taken), `${what} is refused`) : nothing;
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
  ...{ on, names: field, what: phraseOf(field, isAsked) },
  asks: (call) => isRecord(call.asked.body) && isAsked(sentFields(call)[field]),
  ...rest,
});

/** A query parameter with one of these values. */
export const parameter = (
  on: string | readonly string[],
  name: string,
  isAsked: (value: string | undefined) => boolean,
  rest: Pick<Ask, 'gap' | 'taken' | 'refused'>,
): Ask => ({
  ...{ on, names: name, what: phraseOf(name, isAsked) },
  asks: ({ asked }) => isAsked(asked.query[name]),
  ...rest,
});

export const isMissing = (one: unknown): boolean => one === undefined;
export const isOneOf =
  (...all: string[]) =>
  (one: unknown): boolean =>
    all.includes(String(one));

/** Fields and parameters that the document does not show. `gaps`: about those of bodies, and of queries. */
export function surplus(api: ServiceName, gaps: { bodies: string; queries: string }): Recogniser {
  const unknownIn = (call: SeenCall): string[] => {
    const { operation, query } = call.asked;
    if (operation.startsWith('GET')) return others(query, parametersOf(api, operation));
    const lines = listOf(sentFields(call).items).map(fieldsOf);
    return [
      ...others(sentFields(call), fieldsOfRequest(api, operation)),
      ...lines.flatMap((line) => others(line, fieldsOfRequest(api, operation, 'items'))),
    ];
  };
  return (call, earlier) => {
    const { operation } = call.asked;
    const [gap, what] = operation.startsWith('GET') ? [gaps.queries, 'a query parameter'] : [gaps.bodies, 'a field'];
    const unknown = unknownIn(call);
    return recogniserOf({
      ...{ on: operation, gap, what: `${what} that the document does not show` },
      asks: () => parametersOf(api, operation) !== undefined && unknown.length > 0,
      // A name of one letter may be any word of the refusal.
      names: () => unknown.filter((name) => name.length > 1),
      ...{ taken: 'ignored', refused: choice },
    })(call, earlier);
  };
}

const others = (fields: object, known: readonly string[] = []) => Object.keys(fields).filter((name) => !known.includes(name));
