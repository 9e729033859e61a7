import { newId } from '../base/ids.ts';
import { type Blocked, blockedOf, withWaiting } from '../figures/blocked.ts';
import { causeOfBlocked, causeOfFailure, countWaiting, hostOf, lastingCause, noValues } from '../figures/cause.ts';
import { lastFailures } from '../figures/endpoints.ts';
import { removeInBatches } from '../store/batches.ts';
import type { Rows, Store, Where } from '../store/port.ts';
import { type Found, idsIn, type Period, search } from '../store/search.ts';
import { type AlertEnding, type AlertRuleName, alertSeverities } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import type { Partner } from '../store/tables/webhooks.ts';
import { alertText } from './cases.ts';
import { messageRow } from './messages.ts';
import { confirmedAddresses, recipientId } from './partners/addresses.ts';
import { alertRules, type Finding } from './rules.ts';

type Alert = Row<'alerts'>;
type Channel = Row<'alert_channels'>;

const minuteMs = 60_000;

/**
 * Opens an alert for each finding that has none, with its messages. Another process may have done so already: the open key is
 * unique.
 */
export async function openAlerts(store: Store, rule: AlertRuleName, findings: readonly Finding[], now: number): Promise<Alert[]> {
  if (findings.length === 0) return [];
  const alerts = (await explain(store, findings)).map((finding) => alertOf(rule, finding, now));
  return store.transaction(async (tx) => {
    const opened = await tx.insert('alerts', alerts, { onConflict: 'ignore' });
    const active = await tx.list('alert_channels', { where: { active: true } });
    const channels = active.filter((one) => takes(one, rule)).map(({ id }) => id);
    const partners = opened.flatMap(({ about }) => about ?? []);
    const reached = new Set((await confirmedAddresses(tx, partners)).map(({ owner }) => owner));
    const messages = opened.flatMap(({ id, about }) => {
      const addresses = about !== null && reached.has(about) ? [recipientId(about)] : [];
      return [...channels, ...addresses].map((to) => messageRow(id, to, 'opened', now));
    });
    await tx.append('alert_messages', messages);
    return opened;
  });
}

/** Whether a channel takes the alerts of a rule. */
export const takes = ({ min_severity }: Channel, rule: AlertRuleName): boolean =>
  alertSeverities.indexOf(min_severity) <= alertSeverities.indexOf(alertRules[rule].severity);

/** Adds the cause to findings about endpoints. Reads attempts and deliveries, so it is done for new alerts only. */
async function explain(rows: Rows, findings: readonly Finding[]): Promise<Finding[]> {
  const wanted = findings.flatMap(({ subject, detail }) => ('endpoint' in detail.values ? [subject] : []));
  if (wanted.length === 0) return [...findings];
  const endpoints = await rows.list('endpoints', { where: { id: { in: wanted } } });
  const blockers = await blockedOf(rows, endpoints);
  const causes = new Map(
    await Promise.all(
      endpoints.map(async (endpoint) => [endpoint.id, await causesOf(rows, endpoint, blockers.get(endpoint.id))] as const),
    ),
  );
  return findings.map((finding) => {
    const { failing, blocked } = causes.get(finding.subject) ?? {};
    const cause = finding.detail.case === 'dead_letters' ? (blocked ?? failing) : failing;
    return cause ? { ...finding, detail: { ...finding.detail, cause } } : finding;
  });
}

/** Why the endpoint fails, and whether dead letters block its deliveries. That does not end when the endpoint works again. */
async function causesOf(rows: Rows, endpoint: Row<'endpoints'>, blocked: Blocked | undefined) {
  const [waiting, [last], counted] = await Promise.all([
    countWaiting(rows, endpoint.id),
    lastFailures(rows, [endpoint.id], 1),
    blocked && withWaiting(rows, endpoint.id, blocked),
  ]);
  const failing = lastingCause(endpoint, { waiting }) ?? (last ? causeOfFailure(endpoint, last) : null);
  return { failing, blocked: counted && causeOfBlocked(endpoint, counted) };
}

/** The row of an open alert. */
export const alertOf = (rule: AlertRuleName, { subject, page, about, detail }: Finding, now: number): Alert => ({
  id: newId('alt'),
  about,
  rule,
  severity: alertRules[rule].severity,
  subject,
  open_key: `${rule} ${subject}`,
  message: alertText(detail),
  page,
  opened_at: now,
  resolved_at: null,
  detail,
});

/** Ends alerts, and tells everybody who was told that they began. Returns those that were still open. */
export async function endAlerts(store: Store, over: readonly Alert[], now: number): Promise<Alert[]> {
  if (over.length === 0) return [];
  const ids = over.map(({ id }) => id);
  // One after the other: an outage may end for many endpoints at once.
  const moves = await Array.fromAsync(over, async (alert) => ({
    id: alert.id,
    seen: { resolved_at: null },
    next: { resolved_at: now, open_key: alert.id, detail: { ...alert.detail, ending: await endingOf(store, alert) } },
  }));
  const ended = await store.transaction(async (tx) => {
    // People who have not got the first message need no message at all.
    const unsent = { alert_id: { in: ids }, kind: 'opened', status: 'pending', attempts: 0 } as const;
    await tx.update('alert_messages', unsent, { status: 'skipped' });
    const where = { alert_id: { in: ids }, kind: 'opened', status: { not: 'skipped' } } as const;
    const heard = await tx.list('alert_messages', { where, order: [['id', 'asc']] });
    const rows = heard.map(({ alert_id, channel_id }) => messageRow(alert_id, channel_id, 'resolved', now));
    return new Set(await tx.advance('alerts', moves, { table: 'alert_messages', column: 'alert_id', rows }));
  });
  return over.filter(({ id }) => ended.has(id));
}

/** Returns what ended an alert. Reads its endpoint, if it is about one, and what waits for it. */
async function endingOf(rows: Rows, { subject, rule, detail, opened_at }: Alert): Promise<AlertEnding> {
  if (!('endpoint' in detail.values)) return { case: 'cleared' };
  const endpoint = await rows.get('endpoints', { id: subject });
  const isGone = !endpoint || endpoint.deleted_at !== null;
  if (isGone || (!endpoint.active && rule === 'endpoint_failing')) {
    const deleted = { case: 'deleted', values: { ...noValues, host: endpoint ? hostOf(endpoint.url) : '' } } as const;
    const cause = endpoint && lastingCause(endpoint);
    return { case: 'stopped', cause: isGone || !cause ? deleted : cause };
  }
  if (rule !== 'endpoint_failing' || endpoint.failing_since !== null || !(await hasAnswered(rows, subject, opened_at)))
    return { case: 'cleared' };
  return { case: 'answers', waiting: await countWaiting(rows, subject) };
}

/**
 * True if an attempt succeeded. The endpoint's row does not show this, because an activation clears the failures too. Tallies
 * cover whole minutes. In the minute in which the alert opened, nothing had succeeded, so that minute is included.
 */
async function hasAnswered(rows: Rows, subject: string, openedAt: number): Promise<boolean> {
  const at = { gt: openedAt - minuteMs };
  return (await rows.count('tallies', { kind: 'attempt', width: minuteMs, subject, name: 'success', at }, { atMost: 1 })) > 0;
}

export const alertStates = ['open', 'resolved'] as const;

export interface AlertFilter extends Period {
  rule?: AlertRuleName | undefined;
  about?: Partner | undefined;
  subject?: string | undefined;
  state?: (typeof alertStates)[number] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listAlerts(rows: Rows, filter: AlertFilter): Promise<Found<'alerts'>> {
  const { rule, about, subject, state, limit } = filter;
  const named = { subject, about, rule };
  const indexed: Where<'alerts'>[] = [
    ...(state === 'open' ? [{ resolved_at: null }] : []),
    ...Object.entries(named).flatMap(([column, value]) => (value === undefined ? [] : [{ [column]: value }])),
  ];
  const where = { ...named, ...(state && { resolved_at: state === 'open' ? null : { not: null } }) };
  return search(rows, { table: 'alerts', key: 'id', where, range: idsIn('alt', filter), indexed, limit });
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
