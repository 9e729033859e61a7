import { newId } from '../base/ids.ts';
import type { Rows, Where } from '../store/port.ts';
import type { AlertMessageKind } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';

/** Lets a new channel or address have the alerts that are still open, unless it has them already. */
export async function tellOfOpen(tx: Rows, channel_id: string, where: Where<'alerts'>, now: number): Promise<void> {
  const open = await tx.list('alerts', { where: { ...where, resolved_at: null }, order: [['id', 'asc']] });
  const sent = { channel_id, alert_id: { in: open.map(({ id }) => id) }, status: { not: 'skipped' } } as const;
  const told = new Set((await tx.list('alert_messages', { where: sent })).map(({ alert_id }) => alert_id));
  const untold = open.filter(({ id }) => !told.has(id));
  await tx.append(
    'alert_messages',
    untold.map(({ id }) => messageRow(id, channel_id, 'opened', now)),
  );
}

export const messageRow = (alert_id: string, channel_id: string, kind: AlertMessageKind, now: number): Row<'alert_messages'> => ({
  id: newId('alm'),
  alert_id,
  channel_id,
  kind,
  status: 'pending',
  attempts: 0,
  answer: null,
  due_at: now,
  created_at: now,
  sent_at: null,
});

/** Returns the messages of alerts by alert, oldest first. */
export async function messagesOf(rows: Rows, alerts: readonly Row<'alerts'>[]): Promise<Map<string, Row<'alert_messages'>[]>> {
  const where = { alert_id: { in: alerts.map(({ id }) => id) } };
  const found = await rows.list('alert_messages', { where, order: [['id', 'asc']] });
  return Map.groupBy(found, ({ alert_id }) => alert_id);
}
