import { bodyVariants, twiceWrong } from './bodies.ts';
import { keyVariants, type Scheme } from './keys.ts';
import type { MistakeId, Variant } from './mistakes.ts';
import { type Around, algorithms, aroundVariants, type Beside, millisecondsOf } from './signing.ts';

export interface Question {
  scheme: Scheme;
  body: Buffer;
  /** The first is the one to be used. */
  secrets: readonly string[];
  beside: Beside;
  /** What the header holds, in each way in which it can be read. */
  signatures: readonly Variant<Buffer>[];
}

/** Mistakes in how a signature was made that are tried together; those in how it is written come on top. */
const together = 2;

/** Past this size a body is not hashed a thousand times. */
const manyTimesBytes = 65_536;

/** The fewest mistakes that lead to one of the signatures; null where none do. */
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

/** Digests to try, fewest mistakes first; what takes the most trying last. */
function* tries(question: Question): Generator<Variant<() => Buffer>> {
  const bodies = bodyVariants(question.body);
  const keys = keyVariants(question.secrets, question.scheme);
  const arounds = aroundVariants(question.scheme, question.beside);
  const right = keys.filter(({ mistakes }) => mistakes.length === 0);
  for (let count = 0; count <= together; count++) yield* withMistakes(count, { bodies, keys, arounds });
  yield* withMistakes(together, { bodies: twiceWrong(question.body), keys: right, arounds: arounds.slice(0, 1) });
  if (question.scheme === 'standard-webhooks') yield* milliseconds(question, right);
}

interface Axes {
  bodies: Variant<Buffer>[];
  keys: Variant<Buffer>[];
  arounds: Variant<Around>[];
}

function* withMistakes(count: number, { bodies, keys, arounds }: Axes): Generator<Variant<() => Buffer>> {
  const fits = (...of: Variant<unknown>[]) => of.reduce((sum, { mistakes }) => sum + mistakes.length, 0);
  for (const body of bodies) {
    if (fits(body) > count) continue;
    for (const key of keys) {
      if (fits(body, key) > count) continue;
      for (const around of arounds) {
        if (fits(body, key, around) > count) continue;
        for (const algorithm of algorithms) {
          if (fits(body, key, around, algorithm) !== count || (algorithm.keyless && key !== keys[0])) continue;
          const { before, after } = around.value;
          yield {
            mistakes: [...key.mistakes, ...body.mistakes, ...around.mistakes, ...algorithm.mistakes],
            value: () => algorithm.value(key.value, [before, body.value, after]),
          };
        }
      }
    }
  }
}

function* milliseconds({ body, beside }: Question, keys: readonly Variant<Buffer>[]): Generator<Variant<() => Buffer>> {
  if (body.length > manyTimesBytes) return;
  const [hmac] = algorithms;
  for (const key of keys) {
    for (const { before } of millisecondsOf(beside)) {
      yield { mistakes: ['timestamp_milliseconds'], value: () => hmac?.value(key.value, [before, body]) ?? Buffer.alloc(0) };
    }
  }
}
