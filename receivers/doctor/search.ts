import { bodyVariants } from './bodies.ts';
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
}

/** The thousand milliseconds of a second are not tried with larger bodies: a gateway would serve no call in the meantime. */
const millisecondsBytes = 65_536;

/** Returns the mistake in making one of the signatures, if any, and those in its written form, or null if nothing explains it. */
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

/** Yields the digests to try: the right one, those with one mistake, and the most expensive ones last. */
function* tries({ scheme, body, secrets, beside }: Question): Generator<Variant<() => Buffer>> {
  const bodies = parted(bodyVariants(body));
  const keys = parted(keyVariants(secrets, scheme));
  const arounds = parted(aroundVariants(scheme, beside));
  const hashes = parted(algorithms);
  yield* combined(bodies.right, keys.right, arounds.right, hashes.right);
  yield* combined(bodies.right, keys.right, arounds.right, hashes.wrong);
  yield* combined(bodies.right, keys.right, arounds.wrong, hashes.right);
  yield* combined(bodies.right, keys.wrong, arounds.right, hashes.right);
  yield* combined(bodies.wrong, keys.right, arounds.right, hashes.right);
  if (scheme === 'standard-webhooks' && body.length <= millisecondsBytes)
    yield* combined(bodies.right, keys.right, millisecondsOf(beside), hashes.right);
}

/** Parts the right value from those with a mistake. There may be no right one, such as of a secret that is not base64. */
const parted = <T>(variants: readonly Variant<T>[]) => ({
  right: variants.filter(({ mistakes }) => mistakes.length === 0),
  wrong: variants.filter(({ mistakes }) => mistakes.length > 0),
});

function* combined(
  bodies: readonly Variant<Buffer>[],
  keys: readonly Variant<Buffer>[],
  arounds: readonly Variant<Around>[],
  hashes: typeof algorithms,
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
