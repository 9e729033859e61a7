import { lastingCause } from '../../figures/cause.ts';
import type { Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { DisabledReason, Partner } from '../../store/tables/webhooks.ts';
import { messageRow } from '../alerts.ts';
import { announce, endpointValues, keyOf, type News, pageRows } from './announce.ts';
import { reachedOf } from './recipients.ts';

type Endpoint = Row<'endpoints'>;
type Alert = Row<'alerts'>;

const minuteMs = 60_000;
/** How long nothing has succeeded before a held endpoint is news. Most holds are shorter. */
const heldForMs = minuteMs;
/** The same trouble of an endpoint, for the same cause, is no news within this time after its end. If it lasts, it is told then. */
const quietMs = 30 * minuteMs;

/** A partner who pauses an endpoint, or has not verified it, knows. */
const disabling = ['gone', 'failing', 'operator'] as const satisfies DisabledReason[];
const isDisabling = (reason: DisabledReason | null) => disabling.find((one) => one === reason);

/** Returns the trouble of an owned endpoint that its owner is told of, without its duration. */
function troubleOf(endpoint: Endpoint): News | null {
  const { id, owner, active, held_until, disabled_reason, deleted_at } = endpoint;
  if (owner === 'operator' || deleted_at !== null) return null;
  const of = { owner, subject: id, page: `/endpoints/${id}` };
  const values = endpointValues(endpoint);
  if (active && held_until === null) return null;
  const cause = lastingCause(endpoint);
  if (active) return { ...of, detail: { case: 'own_endpoint_held', values, ...(cause && { cause }) } };
  const because = isDisabling(disabled_reason);
  return because === undefined ? null : { ...of, detail: { case: 'own_endpoint_disabled', values: { ...values, because } } };
}

/** Ends the alerts of partners whose cause is over. Returns the open keys of those that stay, and how many ended. */
export async function endOver(store: Store, now: number): Promise<{ open: Set<string>; ended: number }> {
  const open = new Set<string>();
  let ended = 0;
  for (let after = ''; ; ) {
    const alerts = await store.list('alerts', {
      where: { id: { gt: after }, resolved_at: null, owner: { not: null } },
      order: [['id', 'asc']],
      limit: pageRows,
    });
    const found = await store.list('endpoints', { where: { id: { in: alerts.map(({ subject }) => subject) } } });
    const endpoints = new Map(found.map((endpoint) => [endpoint.id, endpoint]));
    const over: Over[] = [];
    for (const alert of alerts) {
      const endpoint = endpoints.get(alert.subject);
      const trouble = endpoint && troubleOf(endpoint);
      if (trouble && keyOf(trouble) === alert.open_key) open.add(alert.open_key);
      // One that was paused, deleted or disabled did not recover.
      else over.push({ alert, works: endpoint?.active === true && endpoint.deleted_at === null });
    }
    if (over.length > 0) ended += await endAlerts(store, over, now);
    if (alerts.length < pageRows) return { open, ended };
    after = alerts.at(-1)?.id ?? '';
  }
}

interface Over {
  alert: Alert;
  /** True if the endpoint receives again. */
  works: boolean;
}

/** Ends alerts, and tells those who were told of the trouble and want to hear that it is over. */
function endAlerts(store: Store, over: readonly Over[], now: number): Promise<number> {
  return store.transaction(async (tx) => {
    const ids = over.map(({ alert }) => alert.id);
    const opened = { alert_id: { in: ids }, kind: 'opened' } as const;
    // Who was not told yet need not hear of it at all.
    await tx.update('alert_messages', { ...opened, status: 'pending', attempts: 0 }, { status: 'skipped' });
    const told = await tx.list('alert_messages', { where: { ...opened, status: { not: 'skipped' } } });
    const partners = await reachedOf(
      tx,
      over.flatMap(({ alert: { owner } }) => owner ?? []),
    );
    const wants = (owner: Partner | null) => owner !== null && partners.get(owner)?.off.has('endpoint_recovered') === false;
    const works = new Set(over.flatMap((one) => (one.works && wants(one.alert.owner) ? [one.alert.id] : [])));
    const rows = told.flatMap(({ alert_id, channel_id }) =>
      works.has(alert_id) ? [messageRow(alert_id, channel_id, 'resolved', now)] : [],
    );
    const moves = ids.map((id) => ({ id, seen: { resolved_at: null }, next: { resolved_at: now, open_key: id } }));
    return (await tx.advance('alerts', moves, { table: 'alert_messages', column: 'alert_id', rows })).length;
  });
}

/** Tells the owners of endpoints that are held or disabled, unless an alert is open. Returns the number of new alerts. */
export async function tellOfTrouble(store: Store, open: ReadonlySet<string>, now: number): Promise<number> {
  const owned = { owner: { not: 'operator' }, deleted_at: null } as const;
  const held = { ...owned, active: true, held_until: { not: null }, failing_since: { lte: now - heldForMs } };
  const disabled = { ...owned, active: false, disabled_reason: { in: disabling } };
  return (await tellOf(store, held, open, now)) + (await tellOf(store, disabled, open, now));
}

async function tellOf(store: Store, where: Where<'endpoints'>, open: ReadonlySet<string>, now: number): Promise<number> {
  let told = 0;
  for (let after = ''; ; ) {
    const endpoints = await store.list('endpoints', {
      where: { ...where, id: { gt: after } },
      order: [['id', 'asc']],
      limit: pageRows,
    });
    const news = endpoints.flatMap((endpoint) => troubleOf(endpoint) ?? []).filter((one) => !open.has(keyOf(one)));
    if (news.length > 0)
      told += await store.transaction(async (tx) => announce(tx, await notQuiet(tx, news, now), { now, lasts: true }));
    if (endpoints.length < pageRows) return told;
    after = endpoints.at(-1)?.id ?? '';
  }
}

async function notQuiet(rows: Pick<Store, 'list'>, news: readonly News[], now: number): Promise<News[]> {
  const before = await rows.list('alerts', {
    where: { subject: { in: news.map(({ subject }) => subject) }, owner: { not: null }, resolved_at: { gt: now - quietMs } },
  });
  const quiet = new Set(before.map(({ subject, detail }) => keyOf({ subject, detail: detail as News['detail'] })));
  return news.filter((one) => !quiet.has(keyOf(one)));
}
