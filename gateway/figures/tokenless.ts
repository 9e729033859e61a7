import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/**
 * Returns since when token servers have given no access token, for those of the endpoints that have none left to send. Reads nothing
 * if none of them has OAuth2.
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

/** Returns since when a token server has given no access token, if none is left to send. */
export function tokenlessSinceOf(
  { failing_since, sealed, expires_at }: Row<'receiver_tokens'>,
  nowMs: number,
): number | undefined {
  const isLeft = sealed !== null && (expires_at === null || expires_at > nowMs);
  return isLeft ? undefined : (failing_since ?? undefined);
}

/** Returns the endpoints whose token servers have failed since `atMs` or longer, with since when. */
export async function failingTokenServers(rows: Rows, atMs: number, limit?: number): Promise<Map<string, number>> {
  const where = { failing_since: { lte: atMs } };
  const failing = await rows.list('receiver_tokens', { where, order: [['failing_since', 'asc']], ...(limit && { limit }) });
  return new Map(failing.map(({ endpoint_id, failing_since }) => [endpoint_id, Number(failing_since)]));
}
