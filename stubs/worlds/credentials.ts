import type { FastifyRequest } from 'fastify';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { hashSecret } from '../../gateway/base/keyring.ts';
import type { Services } from '../../gateway/http/api.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Credentials } from '../credentials.ts';

/** How the calls, rows and credentials of an API tell worlds apart: each credential has a mark that is in no other world. */
interface Marks<A extends ServiceName> {
  /**
   * Replaces the credentials of a stub's start by credentials that only the world of this name has. They are the same in each
   * run.
   */
  rename(services: Services, credentials: Credentials[A], world: string): Promise<Credentials[A]>;
  /** Calls `known` with the marks of the credentials that exist, now and later. */
  follow(services: Services, known: (mark: string) => void): Promise<void>;
  /** The mark in a bearer token; undefined if it is not of this API. */
  ofToken(token: string): string | undefined;
  /** True for calls whose credentials are in their body. */
  isSignIn(request: Pick<FastifyRequest, 'method' | 'url'>): boolean;
}

/** The longest that `POST /api/auth` takes. */
const longestKey = 200;

/** A key is marked by its id, which a token names. So a token with a wrong signature belongs to the world too. */
const pos: Marks<'pos'> = {
  async rename({ store }, { accounts, ...first }, world) {
    const named = (apiKey: string) => `${apiKey}_${world}`;
    const long = accounts.find(({ apiKey }) => named(apiKey).length > longestKey);
    if (long)
      throw new CouldNotRun(
        `name: with "_${world}" the api_key ${long.apiKey} has over ${longestKey} characters. Use a shorter name.`,
      );
    await store.transaction(async (rows) => {
      const keys = await rows.list('api_keys', {});
      await rows.remove('api_keys', {});
      await rows.append(
        'api_keys',
        keys.map((key) => ({ ...key, id: named(key.id) })),
      );
    });
    return {
      ...first,
      apiKey: named(first.apiKey),
      accounts: accounts.map((account) => ({ ...account, apiKey: named(account.apiKey) })),
    };
  },
  async follow({ store, onWrite }, known) {
    onWrite('api_keys', (rows = []) => {
      for (const { id } of rows) if (id !== undefined) known(id);
    });
    for (const { id } of await store.list('api_keys', {})) known(id);
  },
  ofToken(token) {
    try {
      const { key } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      return typeof key === 'string' ? key : undefined;
    } catch {
      return undefined;
    }
  },
  isSignIn: ({ method, url }) => method === 'POST' && /^\/api\/(v1\/)?auth(\?|$)/.test(url),
};

/** A token is marked by its secret. Ids are numbers, which each world gives from 1 on. */
const cohesion: Marks<'cohesion'> = {
  async rename({ store, keys }, { token: first, tokens, owner }, world) {
    const named = (token: string) => `${token.split('|')[0]}|${keys.demoCredential(`world ${world} ${token}`)}`;
    for (const { token } of tokens)
      await store.update('tokens', { id: Number(token.split('|')[0]) }, { token_hash: cohesion.ofToken(named(token)) ?? '' });
    return { owner, token: named(first), tokens: tokens.map((one) => ({ ...one, token: named(one.token) })) };
  },
  async follow({ store, onWrite }, known) {
    onWrite('tokens', (rows = []) => {
      for (const { token_hash } of rows) if (token_hash !== undefined) known(token_hash);
    });
    for (const { token_hash } of await store.list('tokens', {})) known(token_hash);
  },
  ofToken(token) {
    const [, secret] = token.split('|');
    return secret === undefined ? undefined : hashSecret(secret);
  },
  isSignIn: () => false,
};

const marks: { [A in ServiceName]: Marks<A> } = { pos, cohesion };

export const marksOf = <A extends ServiceName>(api: A): Marks<A> => marks[api];
