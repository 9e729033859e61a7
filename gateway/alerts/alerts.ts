import { newId } from '../base/ids.ts';
import { withWaiting } from '../figures/blocked.ts';
import { causeOfBlocked, causeOfFailure, countWaiting, type Known, lastingCause } from '../figures/cause.ts';
import { lastFailures } from '../figures/endpoints.ts';
import { readKnown } from '../figures/known.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Rows, Store, Where } from '../store/port.ts';
import { type Found, idsIn, type Period, search } from '../store/search.ts';
import {
  type AlertEnding,
  type AlertMessageKind,
  type AlertRuleName,
  type AlertSeverity,
  alertMessageStatuses,
  alertSeverities,
  operatorsAlertNames,
  type PartnerAlertName,
  unhandled,
} from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import type { Partner } from '../store/tables/webhooks.ts';
import { alertText } from './cases.ts';
import type { Finding } from './measures.ts';
import { endOfNight } from './night.ts';
import type { RuleInForce } from './rules.ts';

type Alert = Row<'alerts'>;
type Channel = Row<'alert_channels'>;

const minuteMs = 60_000;

/** Opens an alert for each finding that has none. Another process may have done so already: the open key is unique. */
export async function openAlerts(rows: Rows, rule: RuleInForce, findings: readonly Finding[], now: number): Promise<Alert[]> {
  if (findings.length === 0) return [];
  const opened = (await explain(rows, findings, now)).map((finding) => alertOf(rule, finding, now));
  return rows.insert('alerts', opened, { onConflict: 'ignore' });
}

const explained: ReadonlySet<string> = new Set(['endpoint_failing', 'endpoint_held', 'dead_letters'] satisfies AlertRuleName[]);

/** Adds the cause to findings about endpoints. Reads attempts and deliveries, so it is done for new alerts only. */
async function explain(rows: Rows, findings: readonly Finding[], now: number): Promise<Finding[]> {
  const wanted = new Set(findings.flatMap(({ subject, detail }) => (explained.has(detail.case) ? [subject] : [])));
  if (wanted.size === 0) return [...findings];
  const endpoints = await rows.list('endpoints', { where: { id: { in: [...wanted] } } });
  const knownOf = await readKnown(rows, endpoints, now);
  const causes = new Map(
    await Promise.all(
      endpoints.map(async (endpoint) => [endpoint.id, await causesOf(rows, endpoint, knownOf(endpoint.id))] as const),
    ),
  );
  return findings.map((finding) => {
    const { failing, blocked } = causes.get(finding.subject) ?? {};
    const cause = finding.detail.case === 'dead_letters' ? (blocked ?? failing) : failing;
    return cause ? { ...finding, detail: { ...finding.detail, cause } } : finding;
  });
}

/** Why the endpoint fails, and whether dead letters block its deliveries. That does not end when the endpoint works again. */
async function causesOf(rows: Rows, endpoint: Row<'endpoints'>, { blocked, ...known }: Known) {
  const [waiting, [last], counted] = await Promise.all([
    countWaiting(rows, endpoint.id),
    lastFailures(rows, [endpoint.id], 1),
    blocked && withWaiting(rows, endpoint.id, blocked),
  ]);
  const failing = lastingCause(endpoint, { ...known, waiting }) ?? (last ? causeOfFailure(endpoint, last) : null);
  return { failing, blocked: counted && causeOfBlocked(endpoint, counted) };
}

type RuleName = Alert['rule'];

/** The row of an open alert about which no message was sent. */
export function alertOf(
  { name, severity }: { name: RuleName; severity: AlertSeverity },
  { subject, page, about, detail }: Finding,
  now: number,
): Alert {
  const [id, open_key, message] = [newId('alt'), keyOf(name, { subject, detail }), alertText(detail)];
  const times = { opened_at: now, notified_at: null, resolved_at: null };
  return { id, owner: null, about, rule: name, severity, subject, open_key, message, page, ...times, detail, ...unhandled };
}

/**
 * Returns the key of an open alert: the rule and the subject. For partners, each cause and each change of an address has an alert
 * of its own.
 */
export function keyOf(rule: RuleName, { subject, detail: { values } }: Pick<Finding, 'subject' | 'detail'>): string {
  if ('change' in values) return `${rule} ${subject} ${values.address} ${values.change} ${values.at}`;
  return 'because' in values ? `${rule} ${subject} ${values.because}` : `${rule} ${subject}`;
}

export interface Over {
  alert: Alert;
  ending?: AlertEnding;
  /** True if the people who got the first message also get a message that it is over. */
  isTold: boolean;
}

/** Ends alerts. Returns those that were still open. */
export async function endAlerts(store: Store, over: readonly Over[], now: number): Promise<Alert[]> {
  if (over.length === 0) return [];
  const ids = over.map(({ alert }) => alert.id);
  const moves = over.map(({ alert: { id, detail }, ending }) => ({
    id,
    seen: { resolved_at: null },
    next: { resolved_at: now, open_key: id, detail: ending ? { ...detail, ending } : detail },
  }));
  const ended = await store.transaction(async (tx) => {
    // People who have not got the first message need no message at all.
    await withdraw(tx, ids, { attempts: 0 });
    const told = { in: over.flatMap(({ alert: { id }, isTold }) => (isTold ? [id] : [])) };
    const where = { alert_id: told, kind: 'opened', status: { not: 'skipped' } } as const;
    const heard = await tx.list('alert_messages', { where, order: [['id', 'asc']] });
    const rows = heard.map(({ alert_id, channel_id }) => messageRow(alert_id, channel_id, 'resolved', now));
    return new Set(await tx.advance('alerts', moves, { table: 'alert_messages', column: 'alert_id', rows }));
  });
  return over.flatMap(({ alert }) => (ended.has(alert.id) ? [alert] : []));
}

/** Takes back waiting messages. Those that were never sent become `skipped`, the others `sent`. */
export async function withdraw(tx: Rows, alertIds: readonly string[], some: { attempts?: number } = {}): Promise<void> {
  const waiting = { alert_id: { in: alertIds }, kind: 'opened', status: 'pending', ...some } as const;
  await tx.update('alert_messages', { ...waiting, sent_at: null }, { status: 'skipped' });
  await tx.update('alert_messages', { ...waiting, sent_at: { not: null } }, { status: 'sent' });
}

export const messageRow = (
  alert_id: string,
  channel_id: string,
  kind: AlertMessageKind,
  due_at: number,
  created_at = due_at,
): Row<'alert_messages'> => ({
  id: newId('alm'),
  alert_id,
  channel_id,
  kind,
  status: 'pending',
  attempts: 0,
  answer: null,
  due_at,
  created_at,
  sent_at: null,
});

/**
 * Makes the messages of open alerts, unless the same alert was sent within the quiet time. In that case a later round tries
 * again.
 */
export async function notify(
  store: Store,
  alerts: readonly Alert[],
  { rule, channels, now }: { rule: RuleInForce; channels: readonly Channel[]; now: number },
): Promise<void> {
  const receiving = channelsFor(rule, channels);
  if (receiving.length === 0) return;
  const loud: Alert[] = [];
  for (const alert of alerts) if (!(await isQuiet(store, alert, rule, now))) loud.push(alert);
  const moves = loud.map(({ id }) => ({ id, seen: { notified_at: null, resolved_at: null }, next: { notified_at: now } }));
  const rows = loud.flatMap((alert) =>
    receiving.map((channel) => messageRow(alert.id, channel.id, 'opened', dueAt(alert, channel, now), now)),
  );
  await store.advance('alerts', moves, { table: 'alert_messages', column: 'alert_id', rows });
}

/** When a channel gets an alert that may be sent from `at` on. At night it gets only critical alerts. */
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
  // If the last alert was sent, its last message said that it was over.
  const [last] = await rows.list('alert_messages', { where: made, order: [['id', 'desc']], limit: 1 });
  return last !== undefined && now - last.created_at < quiet_minutes * minuteMs;
}

/** An alert about the store itself, which was sent while it was away. */
export interface LateAlert {
  alert: Alert;
  messages: Row<'alert_messages'>[];
}

/** Stores the alert. The next round ends it. */
export async function storeLate(store: Store, { alert, messages }: LateAlert): Promise<void> {
  await store.transaction(async (tx) => {
    const [stored] = await tx.insert('alerts', [alert], { onConflict: 'ignore' });
    if (stored) await tx.append('alert_messages', messages);
  });
}

/** `open` includes all alerts that are not over: unhandled, acknowledged and snoozed ones. */
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
  const named = { subject, owner, about, rule };
  const anyOf = state === 'unhandled' ? { anyOf: [{ snoozed_until: null }, { snoozed_until: { lte: now } }] } : {};
  const indexed: Where<'alerts'>[] = [
    ...(inState?.resolved_at === null ? [{ resolved_at: null }] : []),
    ...Object.entries(named).flatMap(([column, value]) => (value === undefined ? [] : [{ [column]: value }])),
  ];
  // Alerts of operators have no owner, and only the names of operators' rules.
  const shown = owner === undefined && rule === undefined ? { rule: { in: operatorsAlertNames } } : {};
  const where = { ...named, ...shown, ...inState };
  return search(rows, { table: 'alerts', key: 'id', where, range: idsIn('alt', filter), indexed, limit, ...anyOf });
}

/** Returns the messages of alerts by alert, oldest first. */
export async function messagesOf(rows: Rows, alerts: readonly Alert[]): Promise<Map<string, Row<'alert_messages'>[]>> {
  const where = { alert_id: { in: alerts.map(({ id }) => id) } };
  const found = await rows.list('alert_messages', { where, order: [['id', 'asc']] });
  return Map.groupBy(found, ({ alert_id }) => alert_id);
}

const alertsPerBatch = 500;

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
