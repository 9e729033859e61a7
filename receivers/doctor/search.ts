import { bodyVariants, withTwoMistakesUndone } from './bodies.ts';
import { keyVariants, type Scheme } from './keys.ts';
import type { MistakeId, Variant } from './mistakes.ts';
import { type Around, algorithms, aroundVariants, type Beside, millisecondsOf } from './signing.ts';

export interface Question {
  scheme: Scheme;
  body: Buffer;
  /** The first one is the expected secret. */
  secrets: readonly string[];
  beside: Beside;
  /** The header's signature, in every form in which it can be read. */
  signatures: readonly Variant<Buffer>[];
  /** Larger bodies are checked for single mistakes only, in bytes. */
  thoroughBytes: number | undefined;
}

/** Largest number of mistakes in making a signature that are combined; mistakes in its written form are extra. */
const together = 2;

export const usuallyThoroughBytes = 262_144;

/** Returns the smallest set of mistakes that leads to one of the signatures, or null. */
export function searchMistakes(question: Question): MistakeId[] | null {
  const given = new Map<string, readonly MistakeId[]>();
  for (const { value, mistakes } of question.signatures) {
    const key = value.toString('hex');
    if (!given.has(key)) given.set(key, mistakes);
  }
  if (given.size === 0) return null;
  for (const { mistakes, value } of tries(question)) {
    const written = given.get(value().toString('hex'));
    if (written) return [...mistakes, ...written];
  }
  return null;
}

/** Yields the digests to try: fewest mistakes first, the most expensive ones last. */
function* tries(question: Question): Generator<Variant<() => Buffer>> {
  const bodies = bodyVariants(question.body);
  const keys = keyVariants(question.secrets, question.scheme);
  const arounds = aroundVariants(question.scheme, question.beside);
  const right = keys.filter(({ mistakes }) => mistakes.length === 0);
  const big = question.body.length > (question.thoroughBytes ?? usuallyThoroughBytes);
  for (let count = 0; count <= (big ? 1 : together); count++) yield* withMistakes(count, { bodies, keys, arounds });
  if (big) return;
  for (const body of withTwoMistakesUndone(question.body))
    yield* combined([body], right, arounds.slice(0, 1), algorithms.slice(0, 1));
  if (question.scheme === 'standard-webhooks') yield* milliseconds(question, right);
}

interface Axes {
  bodies: Variant<Buffer>[];
  keys: Variant<Buffer>[];
  arounds: Variant<Around>[];
}

/** Yields all combinations with this number of mistakes. */
function* withMistakes(count: number, axes: Axes): Generator<Variant<() => Buffer>> {
  const [bodies, keys, arounds, hashes] = [axes.bodies, axes.keys, axes.arounds, algorithms].map(byMistakes) as ByMistakes;
  for (const [inBody, ofBody] of bodies) {
    for (const [inKey, ofKey] of keys) {
      for (const [inAround, ofAround] of arounds) {
        const ofHash = hashes.get(count - inBody - inKey - inAround);
        if (ofHash) yield* combined(ofBody, ofKey, ofAround, ofHash);
      }
    }
  }
}

type Algorithm = (typeof algorithms)[number];
type Counted<V> = Map<number, V[]>;
type ByMistakes = [Counted<Variant<Buffer>>, Counted<Variant<Buffer>>, Counted<Variant<Around>>, Counted<Algorithm>];

const byMistakes = (variants: readonly Variant<unknown>[]) => Map.groupBy(variants, ({ mistakes }) => mistakes.length);

function* combined(
  bodies: Variant<Buffer>[],
  keys: Variant<Buffer>[],
  arounds: Variant<Around>[],
  hashes: Algorithm[],
): Generator<Variant<() => Buffer>> {
  for (const body of bodies) {
    for (const key of keys) {
      for (const { mistakes, value } of arounds) {
        for (const hash of hashes) {
          yield {
            mistakes: [...key.mistakes, ...body.mistakes, ...mistakes, ...hash.mistakes],
            value: () => hash.value(key.value, [value.before, body.value, value.after]),
          };
        }
      }
    }
  }
}

function* milliseconds({ body, beside }: Question, keys: readonly Variant<Buffer>[]): Generator<Variant<() => Buffer>> {
  const [hmac] = algorithms;
  for (const key of keys) {
    for (const { before } of millisecondsOf(beside)) {
      yield { mistakes: ['timestamp_milliseconds'], value: () => hmac?.value(key.value, [before, body]) ?? Buffer.alloc(0) };
    }
  }
}
