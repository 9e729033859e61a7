import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { blockedOf } from './blocked.ts';
import type { Known } from './cause.ts';
import { tokenlessSince } from './tokenless.ts';

/** Returns what causes need to know of these endpoints beside their rows. It is read for all of them at once. */
export async function readKnown(
  rows: Rows,
  endpoints: readonly Row<'endpoints'>[],
  nowMs: number,
): Promise<(id: string) => Pick<Known, 'tokenlessSince' | 'blocked'>> {
  const [tokenless, blocked] = await Promise.all([tokenlessSince(rows, endpoints, nowMs), blockedOf(rows, endpoints)]);
  return (id) => ({ tokenlessSince: tokenless.get(id), blocked: blocked.get(id) });
}
