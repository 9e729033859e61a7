import type { Rows } from '../store/port.ts';
import type { Partner } from '../store/tables/webhooks.ts';

/**
 * Returns the names of these partners. Each table is read once, and only if it is needed. Partners that do not exist are absent.
 */
export async function partnerNames(rows: Rows, partners: ReadonlySet<Partner>): Promise<Map<Partner, string>> {
  const idsOf = (prefix: 'account:' | 'user:') =>
    [...partners].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
  const [accountIds, userIds] = [idsOf('account:'), idsOf('user:').map(Number)];
  const [accounts, users] = await Promise.all([
    accountIds.length === 0 ? [] : rows.list('accounts', { where: { id: { in: accountIds } } }),
    userIds.length === 0 ? [] : rows.list('users', { where: { id: { in: userIds } } }),
  ]);
  return new Map([
    ...accounts.map(({ id, name }): [Partner, string] => [`account:${id}`, name]),
    ...users.map(({ id, name }): [Partner, string] => [`user:${id}`, name]),
  ]);
}
