import { invalid, notFound, Refusal } from '../base/errors.ts';
import { utc } from '../base/words.ts';
import type { Rows } from '../store/port.ts';
import { isSnoozed } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { dueAt, withdraw } from './alerts.ts';

type Alert = Row<'alerts'>;

/** What an operator does with an open alert. Fields that are not given keep their values. */
export interface Handling {
  acknowledged?: boolean | undefined;
  /** In milliseconds since 1970; null ends the snooze. */
  snoozed_until?: number | null | undefined;
  assigned_to?: string | null | undefined;
}

const dayMs = 86_400_000;
const longestSnoozeDays = 30;

/** True while an alert is sent to nobody: somebody works on it, or it is snoozed. */
export const isSilent = (alert: Alert, now: number): boolean => alert.acknowledged_at !== null || isSnoozed(alert, now);

/**
 * Acknowledges, snoozes or assigns an open alert. An operator who acknowledges it is assigned to it, unless another name is
 * given. An alert is either acknowledged or snoozed, not both: after a snooze it is open as before.
 */
export async function handleAlert(
  { tx, now }: { tx: Rows; now: number },
  { id, by, acknowledged, snoozed_until, assigned_to }: Handling & { id: string; by: string },
): Promise<Alert> {
  const alert = await tx.get('alerts', { id }, { lock: true });
  if (!alert) throw notFound('id', `There is no alert ${JSON.stringify(id)}. GET /manage/v1/alerts lists all of them.`);
  refuseOthers(alert);
  if (snoozed_until) checkSnooze(snoozed_until, now);
  const [handled] = await tx.update(
    'alerts',
    { id },
    {
      ...(acknowledged === true && { acknowledged_at: alert.acknowledged_at ?? now, snoozed_until: null, assigned_to: by }),
      ...(acknowledged === false && { acknowledged_at: null }),
      ...(snoozed_until !== undefined && { snoozed_until }),
      ...(snoozed_until && { acknowledged_at: null }),
      ...(assigned_to !== undefined && { assigned_to }),
    },
  );
  if (acknowledged) await withdraw(tx, [id]);
  else if (snoozed_until) await reschedule(tx, alert, { from: snoozed_until, again: true });
  else if (snoozed_until === null && alert.snoozed_until !== null) await reschedule(tx, alert, { from: now, again: false });
  return handled as Alert;
}

function refuseOthers({ id, owner, resolved_at }: Alert): void {
  const says = `The alert ${JSON.stringify(id)}`;
  if (owner !== null)
    throw new Refusal(
      'conflict',
      'alert_of_partner',
      `${says} is what ${owner} was told. Only alerts of operators can be handled.`,
    );
  if (resolved_at !== null)
    throw new Refusal('conflict', 'alert_over', `${says} is over since ${utc(resolved_at)}: there is nothing left to handle.`);
}

function checkSnooze(until: number, now: number): void {
  if (until > now && until <= now + longestSnoozeDays * dayMs) return;
  const got = new Date(until).toISOString();
  const message = `\`snoozed_until\` must be after now, and within ${longestSnoozeDays} days, got ${got}.`;
  throw invalid('snoozed_until', 'out_of_bounds', message);
}

/**
 * Moves the messages of an alert to `from`. `again` (a snooze begins): at its end, messages that were already sent are sent once
 * more. Otherwise an operator has ended the snooze early, and only messages that were never sent are sent.
 */
async function reschedule(tx: Rows, alert: Alert, { from, again }: { from: number; again: boolean }): Promise<void> {
  const where = { alert_id: alert.id, kind: 'opened', ...(!again && { status: 'pending' }) } as const;
  if (!again) await tx.update('alert_messages', { ...where, sent_at: { not: null } }, { status: 'sent' });
  const messages = await tx.list('alert_messages', { where });
  const ids = messages.map(({ channel_id }) => channel_id);
  const channels = await tx.list('alert_channels', { where: { id: { in: ids }, active: true } });
  const due = new Map(channels.map((channel) => [channel.id, dueAt(alert, channel, from)]));
  await tx.revise(
    'alert_messages',
    messages.flatMap(({ id, channel_id }) => {
      const due_at = due.get(channel_id);
      return due_at === undefined ? [] : [{ id, status: 'pending' as const, attempts: 0, due_at }];
    }),
  );
}
