import { newId } from '../base/ids.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Rows, Store, Where } from '../store/port.ts';
import { type Found, idsIn, type Period, search } from '../store/search.ts';
import {
  type AlertEnding,
  type AlertMessageKind,
  type AlertRuleName,
  alertMessageStatuses,
  alertSeverities,
  type PartnerAlertName,
  unhandled,
} from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import type { Partner } from '../store/tables/webhooks.ts';
import { alertText } from './cases.ts';
import { explain } from './explain.ts';
import type { Finding } from './measures.ts';
import { endOfNight } from './night.ts';
import type { RuleInForce } from './rules.ts';

type Alert = Row<'alerts'>;
type Channel = Row<'alert_channels'>;

const minuteMs = 60_000;

/** Opens an alert for each finding that has none. Another process may have done so already: the open key is unique. */
export async function openAlerts(rows: Rows, rule: RuleInForce, findings: readonly Finding[], now: number): Promise<Alert[]> {
  if (findings.length === 0) return [];
  const opened = (await explain(rows, findings)).map((finding): Alert => {
    return { ...alertOf(rule, finding, now), open_key: `${rule.name} ${finding.subject}` };
  });
  return rows.insert('alerts', opened, { onConflict: 'ignore' });
}

const alertOf = ({ name, severity }: RuleInForce, { subject, page, about, detail }: Finding, now: number): Alert => {
  const id = newId('alt');
  const times = { opened_at: now, notified_at: null, resolved_at: null };
  const message = alertText(detail);
  return { id, owner: null, about, rule: name, severity, subject, open_key: id, message, page, ...times, detail, ...unhandled };
};

/** Ends an alert, and tells those who were told that it began. Does nothing if it has ended. */
export async function resolveAlert(
  store: Store,
  { id, detail }: Alert,
  ending: AlertEnding,
  now: number,
): Promise<Alert | undefined> {
  const over = { resolved_at: now, open_key: id, detail: detail && { ...detail, ending } };
  return store.transaction(async (tx) => {
    const [resolved] = await tx.update('alerts', { id, resolved_at: null }, over);
    if (!resolved) return undefined;
    // Who was to be told in the morning need not hear of it at all.
    await withdraw(tx, id, { attempts: 0 });
    const heard = await tx.list('alert_messages', { where: { alert_id: id, kind: 'opened', status: { not: 'skipped' } } });
    await tx.append(
      'alert_messages',
      heard.map(({ channel_id }) => messageRow(id, channel_id, 'resolved', now)),
    );
    return resolved;
  });
}

/** Takes back messages that wait: those that nobody has heard yet are skipped, the others were sent before. */
export async function withdraw(tx: Rows, alert_id: string, some: { attempts?: number } = {}): Promise<void> {
  const waiting = { alert_id, kind: 'opened', status: 'pending', ...some } as const;
  await tx.update('alert_messages', { ...waiting, sent_at: null }, { status: 'skipped' });
  await tx.update('alert_messages', { ...waiting, sent_at: { not: null } }, { status: 'sent' });
}

export const messageRow = (
  alert_id: string,
  channel_id: string,
  kind: AlertMessageKind,
  due_at: number,
  created_at = due_at,
) => ({
  ...({ id: newId('alm'), alert_id, channel_id, kind, status: 'pending', attempts: 0, answer: null } as const),
  due_at,
  created_at,
  sent_at: null,
});

/** Makes the messages of an open alert, unless the same alert was sent within the quiet time. Then a later round tries again. */
export async function notify(
  store: Store,
  { alert, rule, channels, now }: { alert: Alert; rule: RuleInForce; channels: readonly Channel[]; now: number },
): Promise<void> {
  const receiving = channelsFor(rule, channels);
  if (receiving.length === 0 || (await isQuiet(store, alert, rule, now))) return;
  await store.transaction(async (tx) => {
    const [noted] = await tx.update('alerts', { id: alert.id, notified_at: null, resolved_at: null }, { notified_at: now });
    if (!noted) return;
    await tx.append(
      'alert_messages',
      receiving.map((channel) => messageRow(alert.id, channel.id, 'opened', dueAt(alert, channel, now), now)),
    );
  });
}

/** When a channel is told of an alert that may be sent from `at` on: at night it gets only what is critical. */
export const dueAt = ({ severity }: Alert, { night }: Channel, at: number): number =>
  severity === 'critical' ? at : endOfNight(night, at);

/** Returns the active channels that get a rule's alerts: those it names, or all that take its severity. */
export function channelsFor({ channels: named, severity }: RuleInForce, channels: readonly Channel[]): Channel[] {
  const level = alertSeverities.indexOf(severity);
  const takes = ({ id, min_severity }: Channel) => named?.includes(id) ?? alertSeverities.indexOf(min_severity) <= level;
  return channels.filter((channel) => channel.active && takes(channel));
}

async function isQuiet(rows: Rows, { rule, subject }: Alert, { quiet_minutes }: RuleInForce, now: number): Promise<boolean> {
  const where = { subject, rule, notified_at: { not: null } };
  const [before] = await rows.list('alerts', { where, order: [['id', 'desc']], limit: 1 });
  if (!before) return false;
  const made = { alert_id: before.id, status: { in: alertMessageStatuses.filter((status) => status !== 'skipped') } };
  // The last message is the one that said that it was over, if somebody was told.
  const [last] = await rows.list('alert_messages', { where: made, order: [['id', 'desc']], limit: 1 });
  return last !== undefined && now - last.created_at < quiet_minutes * minuteMs;
}

/** An alert that was sent without the store. */
export interface LateAlert {
  finding: Finding;
  openedAt: number;
  sent: Pick<Row<'alert_messages'>, 'channel_id' | 'status' | 'attempts' | 'answer' | 'sent_at'>[];
}

/** Stores an alert about the store itself, which was sent while it was away. The next round ends it. */
export async function storeLate(store: Store, rule: RuleInForce, { finding, openedAt, sent }: LateAlert): Promise<void> {
  const alert = { ...alertOf(rule, finding, openedAt), open_key: `${rule.name} ${finding.subject}`, notified_at: openedAt };
  await store.transaction(async (tx) => {
    const [stored] = await tx.insert('alerts', [alert], { onConflict: 'ignore' });
    if (!stored) return;
    await tx.append(
      'alert_messages',
      sent.map((one) => ({ ...messageRow(alert.id, one.channel_id, 'opened', openedAt), ...one })),
    );
  });
}

/** `open` is whatever is not over: what nobody has handled, what is acknowledged and what is snoozed. */
export const alertStates = ['open', 'unhandled', 'acknowledged', 'snoozed', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];

const ofOperators = { resolved_at: null, owner: null };
const states: Record<AlertState, (now: number) => Where<'alerts'>> = {
  open: () => ({ resolved_at: null }),
  unhandled: () => ({ ...ofOperators, acknowledged_at: null }),
  acknowledged: () => ({ ...ofOperators, acknowledged_at: { not: null } }),
  snoozed: (now) => ({ ...ofOperators, snoozed_until: { gt: now } }),
  resolved: () => ({ resolved_at: { not: null } }),
};

export interface AlertFilter extends Period {
  rule?: AlertRuleName | PartnerAlertName | undefined;
  /** The partner who was told. */
  owner?: Partner | undefined;
  /** The partner whom it concerns. */
  about?: Partner | undefined;
  subject?: string | undefined;
  state?: AlertState | undefined;
  /** The current time: a snooze is over by itself. */
  now: number;
  cursor?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listAlerts(rows: Rows, filter: AlertFilter): Promise<Found<'alerts'>> {
  const { rule, owner, about, subject, state, now, limit } = filter;
  const inState = state && states[state](now);
  const where = { rule, owner, about, subject, ...inState };
  const anyOf = state === 'unhandled' ? { anyOf: [{ snoozed_until: null }, { snoozed_until: { lte: now } }] } : {};
  const indexed = [
    ...(inState?.resolved_at === null ? [{ resolved_at: null }] : []),
    ...(subject === undefined ? [] : [{ subject }]),
    ...(owner === undefined ? [] : [{ owner }]),
    ...(about === undefined ? [] : [{ about }]),
    ...(rule === undefined ? [] : [{ rule }]),
  ];
  return search(rows, { table: 'alerts', key: 'id', where, range: idsIn('alt', filter), indexed, limit, ...anyOf });
}

/** Returns the messages of alerts by alert, oldest first. */
export async function messagesOf(rows: Rows, alerts: readonly Alert[]): Promise<Map<string, Row<'alert_messages'>[]>> {
  const where = { alert_id: { in: alerts.map(({ id }) => id) } };
  const found = await rows.list('alert_messages', {
    where,
    order: [
      ['alert_id', 'asc'],
      ['id', 'asc'],
    ],
  });
  return Map.groupBy(found, ({ alert_id }) => alert_id);
}

const alertsPerBatch = 500;

/** Removes alerts that were over before `beforeMs`, with their messages. */
export async function removeOldAlerts(store: Store, beforeMs: number): Promise<void> {
  const where = { resolved_at: { lt: beforeMs } };
  for (;;) {
    const old = await store.list('alerts', { where, order: [['resolved_at', 'asc']], limit: alertsPerBatch });
    const ids = old.map(({ id }) => id);
    await removeInBatches(store, 'alert_messages', { alert_id: { in: ids } });
    await store.remove('alerts', { id: { in: ids } });
    if (old.length < alertsPerBatch) return;
  }
}
