import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/**
 * For each of the endpoints that has no access token left to send, returns since when its token server has given none. Reads
 * nothing if none of them has OAuth2.
 */
export async function tokenlessSince(
  rows: Rows,
  endpoints: readonly Row<'endpoints'>[],
  nowMs: number,
): Promise<Map<string, number>> {
  const ids = endpoints.flatMap(({ id, credentials }) => (credentials?.oauth2 ? [id] : []));
  if (ids.length === 0) return new Map();
  const failing = await rows.list('receiver_tokens', { where: { endpoint_id: { in: ids }, failing_since: { not: null } } });
  return new Map(
    failing.flatMap((token) => {
      const since = tokenlessSinceOf(token, nowMs);
      return since === undefined ? [] : [[token.endpoint_id, since]];
    }),
  );
}

/** Returns the time since which a token server has given no access token; undefined if a usable token is left. */
export function tokenlessSinceOf(
  { failing_since, sealed, expires_at }: Row<'receiver_tokens'>,
  nowMs: number,
): number | undefined {
  const isLeft = sealed !== null && (expires_at === null || expires_at > nowMs);
  return isLeft ? undefined : (failing_since ?? undefined);
}

/** Returns the endpoints whose token servers have failed since `atMs` or longer, with the time of the first failure. */
export async function failingTokenServers(rows: Rows, atMs: number, limit?: number): Promise<Map<string, number>> {
  const where = { failing_since: { lte: atMs } };
  const failing = await rows.list('receiver_tokens', { where, order: [['failing_since', 'asc']], ...(limit && { limit }) });
  return new Map(failing.map(({ endpoint_id, failing_since }) => [endpoint_id, Number(failing_since)]));
}
