import { Refusal } from '../../../base/errors.ts';
import type { Insert, Row, TableName } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';

/** Stores a row whose `field` must be unique. Throws `conflict` if another row has the same value. */
export async function insertNew<T extends TableName>(
  { tx }: Change,
  table: T,
  row: Insert<T>,
  field: keyof Row<T> & string,
): Promise<Row<T>> {
  const [stored] = await tx.insert(table, [row], { onConflict: 'ignore' });
  if (stored) return stored;
  const value = String((row as Record<string, unknown>)[field]);
  const message = `The ${field} ${value} is taken. Change the existing entry, or choose another ${field}.`;
  throw new Refusal('conflict', 'already_exists', message, { details: [{ field, rule: 'unique', message }] });
}
