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
    failing.flatMap(({ endpoint_id, failing_since, sealed, expires_at }) => {
      const isLeft = sealed !== null && (expires_at === null || expires_at > nowMs);
      return isLeft || failing_since === null ? [] : [[endpoint_id, failing_since]];
    }),
  );
}

/** Returns the endpoints whose token servers have failed since `atMs` or longer, with since when. */
export async function failingTokenServers(rows: Rows, atMs: number, limit?: number): Promise<Map<string, number>> {
  const where = { failing_since: { lte: atMs } };
  const failing = await rows.list('receiver_tokens', { where, order: [['failing_since', 'asc']], ...(limit && { limit }) });
  return new Map(failing.map(({ endpoint_id, failing_since }) => [endpoint_id, Number(failing_since)]));
}
