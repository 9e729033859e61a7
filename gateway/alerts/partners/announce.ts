import { newId } from '../../base/ids.ts';
import { cut } from '../../base/words.ts';
import type { Rows } from '../../store/port.ts';
import { type AlertDetail, type PartnerAlertKind, type PartnerAlertName, unhandled } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { messageRow } from '../alerts.ts';
import { alertText } from '../cases.ts';
import { oneLine } from '../texts.ts';
import { type Reached, reachedOf } from './recipients.ts';

/** What a partner is to be told. */
export interface News {
  owner: Partner;
  /** The id of an endpoint or credential. */
  subject: string;
  detail: Extract<AlertDetail, { case: PartnerAlertName }>;
  /** The page of the operators' console that shows the cause. */
  page: string;
}

/** The kind that a partner can switch off. */
export const kindOf: Readonly<Record<PartnerAlertName, PartnerAlertKind>> = {
  own_endpoint_held: 'endpoint_held',
  own_endpoint_disabled: 'endpoint_disabled',
  own_token_expires: 'credential_expires',
  own_key_expires: 'credential_expires',
  own_secret_expires: 'secret_expires',
};

/** The rows that are read and told in one step. */
export const pageRows = 500;

/** Keeps the news of partners who are active, want that kind, and have an address. The others are not recorded: nobody would be told. */
export async function heard(
  rows: Rows,
  news: readonly News[],
): Promise<{ news: News[]; partners: ReadonlyMap<Partner, Reached> }> {
  const partners = await reachedOf(
    rows,
    news.map(({ owner }) => owner),
  );
  const isHeard = ({ owner, detail }: News) => {
    const partner = partners.get(owner);
    return partner !== undefined && partner.recipients.length > 0 && !partner.off.has(kindOf[detail.case]);
  };
  return { news: news.filter(isHeard), partners };
}

/**
 * Stores an alert for each of the news, with a message for each address of its partner. With `lasts`, the alert stays open, and
 * news about the same are not stored again while it does. Without it the alert is over at once. Returns the number of new alerts.
 */
export async function announce(tx: Rows, all: readonly News[], { now, lasts }: { now: number; lasts: boolean }): Promise<number> {
  const { news, partners } = await heard(tx, all);
  if (news.length === 0) return 0;
  const stored = await tx.insert(
    'alerts',
    news.map((one) => alertOf(one, { now, lasts })),
    { onConflict: 'ignore' },
  );
  const messages = stored.flatMap(({ id, owner }) =>
    owner === null ? [] : (partners.get(owner)?.recipients ?? []).map((to) => messageRow(id, to.id, 'opened', now)),
  );
  if (messages.length > 0) await tx.append('alert_messages', messages);
  return stored.length;
}

function alertOf({ owner, subject, detail, page }: News, { now, lasts }: { now: number; lasts: boolean }): Row<'alerts'> {
  const id = newId('alt');
  return {
    id,
    owner,
    about: owner,
    rule: detail.case,
    severity: 'warning',
    subject,
    page,
    detail,
    open_key: lasts ? keyOf({ subject, detail }) : id,
    message: alertText(detail),
    opened_at: now,
    notified_at: now,
    resolved_at: lasts ? null : now,
    ...unhandled,
  };
}

/** Names what is told: another cause is other news. */
export const keyOf = ({ subject, detail: { case: name, values } }: Pick<News, 'subject' | 'detail'>): string =>
  'because' in values ? `${name} ${subject} ${values.because}` : `${name} ${subject}`;

/** Names an endpoint by its host alone: the rest of a URL may hold a secret. */
export const endpointValues = ({ id, url, description }: Pick<Row<'endpoints'>, 'id' | 'url' | 'description'>) => ({
  endpoint: id,
  host: URL.parse(url)?.host ?? '',
  description: shortName(description),
});

export const shortName = (name: string): string => cut(oneLine(name), 80);
