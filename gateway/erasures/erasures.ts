import { invalid, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Rows } from '../store/port.ts';
import { type Found, search } from '../store/search.ts';
import type { Row } from '../store/tables/index.ts';
import type { Change } from '../webhooks/outbox/change.ts';
import { digitsOf } from './number.ts';

export type Erasure = Row<'erasures'>;

export interface ErasureInput {
  number?: string | undefined;
  subject?: string | undefined;
  event_ids?: string[] | undefined;
  dry_run: boolean;
}

/**
 * Begins an erasure, which `Eraser` performs in steps. A dry run counts what it would erase. Throws `invalid` if the input does not
 * name one of a number, a subject or events, or an event that there is not.
 */
export async function createErasure({ tx, now }: Change, { dry_run, ...of }: ErasureInput, keys: Keyring): Promise<Erasure> {
  const named = Object.entries(of).filter(([, value]) => value !== undefined);
  if (named.length !== 1)
    throw invalid(
      named[1]?.[0] ?? 'number',
      'one_of',
      `Give one of "number", "subject" and "event_ids", not ${named.length === 0 ? 'none' : named.map(([name]) => name).join(' and ')}.`,
    );
  const digits = of.number === undefined ? null : digitsOf(of.number);
  if (of.event_ids) await refuseUnknown(tx, of.event_ids);
  const row: Erasure = {
    id: newId('ers'),
    status: 'running',
    dry_run,
    target: targetOf(of, digits),
    number_secret: digits === null ? null : keys.seal(digits),
    stage: 'events',
    position: null,
    settled_at: null,
    found: {},
    created_at: now,
    updated_at: now,
    ended_at: null,
  };
  await tx.append('erasures', [row]);
  return row;
}

function targetOf({ subject, event_ids }: Omit<ErasureInput, 'dry_run'>, digits: string | null): Erasure['target'] {
  if (digits !== null) return { by: 'number', ends_with: digits.slice(-2) };
  return subject === undefined ? { by: 'events', event_ids: [...new Set(event_ids)].sort() } : { by: 'subject', subject };
}

async function refuseUnknown(rows: Rows, ids: readonly string[]): Promise<void> {
  const known = await rows.summarize('events', { by: ['id'], where: { id: { in: ids } } });
  const unknown = ids.find((id) => !known.some((one) => one.id === id));
  if (unknown === undefined) return;
  throw invalid('event_ids', 'unknown', `There is no event ${unknown}. GET /manage/v1/events lists all of them.`);
}

export async function readErasure(rows: Rows, id: string): Promise<Erasure> {
  const erasure = await rows.get('erasures', { id });
  if (!erasure) throw notFound('id', `There is no erasure ${id}. GET /manage/v1/erasures lists all of them.`);
  return erasure;
}

/** Newest first. */
export const listErasures = (
  rows: Rows,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Found<'erasures'>> =>
  search(rows, { table: 'erasures', key: 'id', where: {}, range: { lt: cursor }, indexed: [], limit });

export interface Receiver {
  endpoint: Row<'endpoints'> | undefined;
  row: Row<'erasure_receivers'>;
}

/**
 * Returns at most `limit` endpoints that had received the erased content, those with the most deliveries first, and the number of
 * all such endpoints.
 */
export async function readReceivers(rows: Rows, id: string, limit: number): Promise<{ receivers: Receiver[]; count: number }> {
  const where = { erasure_id: id };
  const order = [
    ['delivered', 'desc'],
    ['attempted', 'desc'],
    ['endpoint_id', 'asc'],
  ] as const;
  const found = await rows.list('erasure_receivers', { where, order, limit });
  const endpoints = await rows.list('endpoints', { where: { id: { in: found.map(({ endpoint_id }) => endpoint_id) } } });
  const receivers = found.map((row) => ({ row, endpoint: endpoints.find((one) => one.id === row.endpoint_id) }));
  return { receivers, count: await rows.count('erasure_receivers', where) };
}
