import type { Rows } from '../store/port.ts';

export interface KnownCaller {
  name: string;
  /** The account's plan; null for a token. */
  plan: string | null;
}

const accountPrefix = 'account:';
const tokenPrefix = 'token:';

/** Splits the caller of a recorded call: `account:ID` (pos) or `token:ID` (cohesion). */
export function partsOfCaller(caller: string): { kind: 'account' | 'token'; id: string } {
  const kind = caller.startsWith(accountPrefix) ? 'account' : 'token';
  return { kind, id: caller.slice(kind.length + 1) };
}

/** Returns the name and plan of each caller. Callers that no longer exist are absent. */
export async function callersOf(rows: Rows, callers: readonly string[]): Promise<Map<string, KnownCaller>> {
  const idsOf = (kind: 'account' | 'token') =>
    callers
      .map(partsOfCaller)
      .filter((one) => one.kind === kind)
      .map(({ id }) => id);
  const tokenIds = idsOf('token').map(Number).filter(Number.isSafeInteger);
  const [accounts, tokens] = await Promise.all([
    rows.list('accounts', { where: { id: { in: idsOf('account') } } }),
    rows.list('tokens', { where: { id: { in: tokenIds } } }),
  ]);
  const users = await rows.list('users', { where: { id: { in: [...new Set(tokens.map(({ user_id }) => user_id))] } } });
  const nameOf = new Map(users.map(({ id, name }) => [id, name]));
  return new Map([
    ...accounts.map(({ id, name, plan }): [string, KnownCaller] => [`${accountPrefix}${id}`, { name, plan }]),
    ...tokens.map(({ id, name, user_id }): [string, KnownCaller] => {
      const user = nameOf.get(user_id);
      return [`${tokenPrefix}${id}`, { name: user === undefined ? name : `${user}, ${name}`, plan: null }];
    }),
  ]);
}
