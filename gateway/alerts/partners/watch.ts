import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { PartnerAlertName } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { endAlerts, keyOf } from '../alerts.ts';
import type { AlertSources } from '../measures.ts';
import { announce } from './announce.ts';
import { warnOfExpiry } from './expiry.ts';
import { reachedOf } from './recipients.ts';
import { type Found, type News, pageRows, partnerRules, troubles } from './rules.ts';

type Alert = Row<'alerts'>;
type Sources = Pick<AlertSources, 'sourceAddresses'>;

const minuteMs = 60_000;
/**
 * If a trouble of an endpoint comes back with the same cause within this time after its end, no message is sent at once. If it
 * lasts until then, a message is sent.
 */
const quietMs = 30 * minuteMs;

/**
 * Brings the alerts of partners in line with their endpoints and credentials, page by page. Without a mail server no alert
 * begins. When there is one, alerts begin for troubles that still last.
 */
export async function watchPartners(
  { store, clock, log, sources }: { store: Store; clock: Clock; log: Logger; sources: Sources },
  hasServer: boolean,
): Promise<void> {
  const now = clock.now();
  const open = await store.list('alerts', { where: { resolved_at: null, owner: { not: null } }, order: [['id', 'asc']] });
  const found = await readTroubles(store, sources, now);
  const over = open.filter(({ open_key }) => !found.has(open_key));
  let [begun, ended] = [0, 0];
  while (over.length > 0) ended += await endTroubles(store, over.splice(0, pageRows), now);
  if (hasServer) {
    const known = new Set(open.map(({ open_key }) => open_key));
    const fresh = [...found].flatMap(([key, { news, isNew }]) => (isNew && !known.has(key) ? [news] : []));
    while (fresh.length > 0) begun += await tellOfTroubles(store, fresh.splice(0, pageRows), now);
    begun += await warnOfExpiry(store, now);
  }
  if (begun + ended > 0) log.info({ begun, ended }, 'alerts.partners');
}

const newsKey = (news: Pick<News, 'subject' | 'detail'>): string => keyOf(news.detail.case, news);

/** Reads what is in trouble, by the open keys of the alerts. */
async function readTroubles(store: Store, sources: Sources, now: number): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const trouble of troubles) for await (const one of trouble(store, now, sources)) found.set(newsKey(one.news), one);
  return found;
}

/** Ends alerts, and tells the partners whose endpoints receive again. A paused, deleted or disabled endpoint did not recover. */
async function endTroubles(store: Store, over: readonly Alert[], now: number): Promise<number> {
  const subjects = { in: over.map(({ subject }) => subject) };
  const working = await store.list('endpoints', { where: { id: subjects, active: true, deleted_at: null } });
  const works = new Set(working.map(({ id }) => id));
  const owners = over.flatMap(({ owner }) => owner ?? []);
  const partners = await reachedOf(store, owners);
  const isTold = ({ owner, subject, rule }: Alert) =>
    !partnerRules[rule as PartnerAlertName].endsKnown &&
    works.has(subject) &&
    owner !== null &&
    partners.get(owner)?.off.has('endpoint_recovered') === false;
  const ended = await endAlerts(
    store,
    over.map((alert) => ({ alert, isTold: isTold(alert) })),
    now,
  );
  return ended.length;
}

const tellOfTroubles = (store: Store, news: readonly News[], now: number): Promise<number> =>
  store.transaction(async (tx) => announce(tx, await notQuiet(tx, news, now), now));

async function notQuiet(rows: Rows, news: readonly News[], now: number): Promise<News[]> {
  const before = await rows.list('alerts', {
    where: { subject: { in: news.map(({ subject }) => subject) }, owner: { not: null }, resolved_at: { gt: now - quietMs } },
  });
  const quiet = new Set(before.map(({ rule, subject, detail }) => keyOf(rule, { subject, detail })));
  return news.filter((one) => !quiet.has(newsKey(one)));
}
