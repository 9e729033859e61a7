import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { alertOf, messageRow } from '../alerts.ts';
import { reachedOf } from './recipients.ts';
import { type News, partnerRules } from './rules.ts';

/**
 * Stores an alert for each of the news, with a message for each address of its partner. An alert about a trouble stays open, and
 * no second alert about the same trouble is stored meanwhile. Any other alert ends at once. Returns the number of new alerts.
 *
 * News of partners who are inactive, have switched that kind off or have no address are not recorded: nobody would be told.
 */
export async function announce(tx: Rows, news: readonly News[], now: number): Promise<number> {
  const partners = await reachedOf(
    tx,
    news.map(({ about }) => about),
  );
  const addressesOf = ({ about, detail }: News) => {
    const partner = partners.get(about);
    return partner === undefined || partner.off.has(partnerRules[detail.case].kind) ? [] : partner.addresses;
  };
  const alerts = news.flatMap((one): Row<'alerts'>[] => {
    if (addressesOf(one).length === 0) return [];
    const alert = { ...alertOf({ name: one.detail.case, severity: 'warning' }, one, now), owner: one.about, notified_at: now };
    return [partnerRules[one.detail.case].trouble ? alert : { ...alert, open_key: alert.id, resolved_at: now }];
  });
  if (alerts.length === 0) return 0;
  const stored = await tx.insert('alerts', alerts, { onConflict: 'ignore' });
  const messages = stored.flatMap(({ id, about }) =>
    about === null ? [] : (partners.get(about)?.addresses ?? []).map((to) => messageRow(id, to.id, 'opened', now)),
  );
  if (messages.length > 0) await tx.append('alert_messages', messages);
  return stored.length;
}
