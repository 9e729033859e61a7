import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid } from '../../../base/errors.ts';
import { removeInBatches } from '../../../store/batches.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { callerOf } from '../identity.ts';
import { dayMs } from './days.ts';

const keptForMs = dayMs;

/** Request headers of an operation that takes an Idempotency-Key (gap pos.idempotency-keys). */
export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe(
      'A key you choose for this request. The same key and body within 24 h get the first reply again, and nothing is done twice.',
    )
    .meta({ example: 'till-4-000123', 'x-gap': ['pos.idempotency-keys'] }),
});

/** Marks a reply that was given before. */
export const replayedHeaders = { 'idempotency-replayed': 'true' } as const;

/** A reply with the exact text of its body. */
export interface StoredReply {
  status: number;
  body: string;
  replayed: boolean;
}

/**
 * Does `work` once for each key of an account. A repeated request gets the first reply, byte for byte. The key is claimed
 * in the transaction of the work: a second request waits until the first ends, and a refused one stores no key.
 */
export async function once<T>(
  change: Change,
  request: FastifyRequest,
  { status, data }: { status: number; data: z.ZodType<T> },
  work: () => Promise<T>,
): Promise<StoredReply> {
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string') return { status, body: bodyOf(data, await work()), replayed: false };

  const key = { account_id: callerOf(request).account.id, idempotency_key: idempotencyKey };
  const requestHash = hashOf(request);
  const first = await claim(change, { ...key, request_hash: requestHash, status, body: '', created_at: change.now });
  if (!first) {
    const body = bodyOf(data, await work());
    await change.tx.update('idempotency_keys', key, { body });
    return { status, body, replayed: false };
  }
  if (first.request_hash === requestHash) return { status: first.status, body: first.body, replayed: true };
  throw invalid(
    'idempotency-key',
    'idempotency_key_reused',
    `The Idempotency-Key ${JSON.stringify(idempotencyKey)} was used with another request in the last 24 hours. Use a new key for a new request.`,
  );
}

const bodyOf = <T>(schema: z.ZodType<T>, data: T): string => `{"success":true,"data":${JSON.stringify(schema.parse(data))}}`;

/** Stores the key for this request, or returns the row of the earlier request that has it. */
async function claim({ tx, now }: Change, row: Row<'idempotency_keys'>): Promise<Row<'idempotency_keys'> | undefined> {
  const key = { account_id: row.account_id, idempotency_key: row.idempotency_key };
  for (;;) {
    const [claimed] = await tx.insert('idempotency_keys', [row], { onConflict: 'ignore' });
    if (claimed) return undefined;
    const first = await tx.get('idempotency_keys', key, { lock: true });
    // Retention removed the old row between the two statements, so the key is free again.
    if (!first) continue;
    if (first.created_at > now - keptForMs) return first;
    await tx.update('idempotency_keys', key, row);
    return undefined;
  }
}

function hashOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0];
  return createHash('sha256')
    .update(`${request.method} ${path}\n${request.rawBody ?? ''}`)
    .digest('hex');
}

/** Removes keys that are over 24 h old, in small batches. */
export const forgetIdempotencyKeys = (rows: Rows, now: number): Promise<void> =>
  removeInBatches(rows, 'idempotency_keys', { created_at: { lte: now - keptForMs } });
