import type { FastifyRequest } from 'fastify';
import { hashSecret } from '../../base/keyring.ts';
import type { LimitRule } from '../api.ts';
import { siteKey } from '../limit/address-key.ts';

const mostKnown = 10_000;

/** Credentials that were right, each with the network that it came from. Memory holds hashes only. */
export class KnownCredentials {
  readonly #known = new Set<string>();

  has(request: FastifyRequest): boolean {
    return this.#known.has(keyOf(request));
  }

  add(request: FastifyRequest): void {
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.values().next().value as string);
    this.#known.add(keyOf(request));
  }

  /** A revoked credential loses its exception from the limits. */
  remove(request: FastifyRequest): void {
    this.#known.delete(keyOf(request));
  }
}

const keyOf = (request: FastifyRequest): string => `${siteKey(request)} ${hashSecret(request.headers.authorization ?? '')}`;

export interface GuardOptions {
  /** The beginning of the rules' names. APIs with different names count apart. */
  name: string;
  known: Pick<KnownCredentials, 'has'>;
  /** The fields of the sign-in's body that say whose attempt it is; the first that was sent counts. */
  fields: readonly string[];
}

/**
 * The limits on failed sign-ins: at this rate credentials cannot be guessed. That of an address alone is wide, because it locks
 * out neighbours. They do not hold for a bearer credential that was right before from the same network: a neighbour's failures
 * must not stop a script that works. Calls with a session cookie are neither counted nor refused: 256 random bits cannot be
 * guessed.
 */
export function signInGuards({ name, known, fields }: GuardOptions): LimitRule[] {
  const guarded = (request: FastifyRequest): boolean =>
    request.routeOptions.config.public === true || (hasBearer(request) && !known.has(request));
  const rule = {
    windowMs: 15 * 60_000,
    holdsFor: guarded,
    when: 'before-identity',
    counts: 'failed-logins',
  } as const;
  const key = (request: FastifyRequest) => `${siteKey(request)} ${hashSecret(accountOf(request, fields))}`;
  return [
    { ...rule, name, max: 100, per: 'address', key: siteKey },
    { ...rule, name: `${name}-of-credential`, max: 10, per: 'address and credential', key },
  ];
}

/** The key of a sign-in with key and secret, or else the credential of the call. */
function accountOf({ body, headers, routeOptions }: FastifyRequest, fields: readonly string[]): string {
  const sent = routeOptions.config.public ? ((body ?? {}) as Record<string, unknown>) : {};
  const found = fields.map((field) => sent[field]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : (headers.authorization ?? '').replace(/^Bearer /i, '');
}

export const hasBearer = ({ headers: { authorization } }: FastifyRequest): boolean =>
  authorization !== undefined && authorization !== '';
