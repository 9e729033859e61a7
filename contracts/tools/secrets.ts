import { redacted, standardRedaction, type Value, withoutValues } from '../../gateway/base/redact.ts';
import { describes, isPublic } from '../../gateway/base/secret-names.ts';
import type { ProviderState } from './states/state.ts';
import { stepsOf } from './verification/json-path.ts';
import type { Exchange, InteractionResult, Problem } from './verification/result.ts';

/** Shorter values are also ordinary words, and are removed only where a name says that they are secret. */
const leastKnownLength = 10;

/** Returns what records show of the value of a name: `Bearer [redacted]`, or the same value if it is public. */
const treated = (name: string, value: unknown) => standardRedaction.headers({ [name]: value })[name];

const isSecret = (name: string): boolean => treated(name, 0) !== 0;

/** Returns the names in a place: a JSONPath, the place in a pact file, or the name of a header. */
const namesIn = (place: string) => stepsOf(place.startsWith('$') ? place : `.${place}`);

/** A field that only describes a secret is not one, such as `$.data.token.name`. */
const isSecretPlace = (place: string): boolean =>
  namesIn(place).some((name, at, names) => name !== null && isSecret(name) && !describes(names[at + 1] ?? ''));

const scheme = /^(Bearer|Basic|Digest|Token|ApiKey) +/i;

/**
 * A bearer token in a text (RFC 6750), redacted or not, or a placeholder for one. A token has no spaces, so it ends before the
 * next word.
 */
const bearer =
  /(authorization["']?\s*):(\s*Bearer +)(?:([A-Za-z0-9._~+/-]+=*|\[redacted\])|<([A-Za-z_ ]{1,30})>)(?=[\s"'`\\,;.)]|$)/gi;
/** The documents' examples, such as "<API_KEY>". They are not XML elements. */
const example = /(?<=["'])<([A-Z][A-Z_]{1,30})>(?=["'])/g;
/** A port at the end of a clause. It is not a password, because no host follows. */
const port = /(:\/\/[^\s/:@"'?#]*):([0-9]{1,5})(?=[.,;:!?)\]]+(?:\s|$))/g;

/** A character of names that means nothing to the redaction. */
const filler = '~';

/**
 * Returns the secrets in a text. The redaction treats everything after `Authorization:`, and a port before a full stop, as a
 * secret, because texts of records may be cut or malformed. In a sentence only the token is one. So the redaction reads a copy
 * of the same length, in which these places are filled in. The rest of the sentence is still redacted.
 */
function valuesIn(text: string): Value[] {
  const tokens: Value[] = [];
  const filled = text.replace(bearer, (whole, name: string, scheme: string, token: string | undefined, _, at: number) => {
    if (token === undefined) return whole.replace(/[:<>]/g, filler);
    const from = at + name.length + 1 + scheme.length;
    tokens.push({ from, to: from + token.length, quote: '' });
    return `${name}${filler}${scheme}${filler.repeat(token.length)}`;
  });
  const read = filled.replace(port, `$1${filler}$2`).replace(example, `${filler}$1${filler}`);
  return [...tokens, ...standardRedaction.valuesIn(read)];
}

/** An object may have a field `toString`. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Returns the secrets in a value or text: the values after `token`, `Authorization` and similar names. */
export function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return valuesIn(value).map(({ from, to }) => value.slice(from, to));
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    const isHidden = isSecret(name) && treated(name, held) !== held && !isPublic(JSON.stringify(held));
    return isHidden ? [held].flat().map((one) => textOf(one).replace(scheme, '')) : secretsIn(held);
  });
}

/** Removes secrets from what a report shows: by the names before them, and by their values wherever these stand. */
export class Hider {
  readonly #known: string[];

  /** `known` are the values themselves, see `secretsIn`. */
  constructor(known: readonly string[] = []) {
    const long = [...new Set(known)].filter((secret) => secret.length >= leastKnownLength);
    const forms = long.flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ]);
    this.#known = [...new Set(forms)].sort((one, two) => two.length - one.length);
  }

  text = (text: string): string => {
    const without = this.#known.reduce((shown, secret) => shown.replaceAll(secret, redacted), text);
    return withoutValues(without, valuesIn(without));
  };

  /** Removes secrets from a value, at any depth. */
  value = (value: unknown): unknown => {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map(this.value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, this.#named(name, held)]));
  };

  /** Removes secrets from the value at a place such as `$.data.token` or `request.headers.Authorization`. */
  at = (place: string, value: unknown): unknown => {
    if (!isSecretPlace(place)) return this.value(value);
    const last = namesIn(place).at(-1) ?? place;
    // An element of a list has no name of its own.
    return isSecret(last) && typeof value === 'string' ? treated(last, value) : redacted;
  };

  problem = (problem: Problem): Problem => {
    const { path = '', expected, actual, message } = problem;
    const shown = (value: string | undefined) => (value === undefined ? undefined : (this.at(path, value) as string));
    const isHidden = isSecretPlace(path) && (expected !== undefined || actual !== undefined);
    return {
      ...problem,
      ...(problem.path !== undefined && { path: this.text(path) }),
      ...(expected !== undefined && { expected: shown(expected) as string }),
      ...(actual !== undefined && { actual: shown(actual) as string }),
      message: isHidden
        ? 'The values differ. They are not shown, because the name of the place says that they are secret.'
        : this.text(message),
    };
  };

  state = ({ name, params }: ProviderState): ProviderState => ({
    name: this.text(name),
    params: this.value(params) as Record<string, unknown>,
  });

  exchange = ({ request, reply, message }: Exchange): Exchange => ({
    ...(request && {
      request: { ...request, path: this.text(request.path), query: this.text(request.query), ...this.#httpParts(request) },
    }),
    ...(reply && { reply: { status: reply.status, ...this.#httpParts(reply) } }),
    ...(message && {
      message: { metadata: this.value(message.metadata) as Record<string, unknown>, body: this.text(message.body) },
    }),
  });

  interaction = (result: InteractionResult): InteractionResult => ({
    ...result,
    source: this.text(result.source),
    description: this.text(result.description),
    states: result.states.map(this.state),
    problems: result.problems.map(this.problem),
    ...(result.exchange && { exchange: this.exchange(result.exchange) }),
  });

  #httpParts({ headers, body }: { headers: Record<string, string>; body: string }) {
    return { headers: this.value(headers) as Record<string, string>, body: this.text(body) };
  }

  #named(name: string, held: unknown): unknown {
    if (Array.isArray(held)) return held.map((one) => this.#named(name, one));
    if (!isSecret(name) || held === null || typeof held === 'boolean' || isPublic(JSON.stringify(held))) return this.value(held);
    return typeof held === 'string' ? treated(name, held) : redacted;
  }
}
