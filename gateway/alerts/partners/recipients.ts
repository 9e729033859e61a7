import type { Rows } from '../../store/port.ts';
import type { AlertLanguage, PartnerAlertKind } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';

/** An active partner, and how it wants to be told. */
export interface Reached {
  owner: Partner;
  name: string;
  language: AlertLanguage;
  off: ReadonlySet<PartnerAlertKind | 'own_address'>;
  /** The one that the operator gave a user; null for an account. */
  ownAddress: string | null;
  /** Where it is told: `adr_...`, or `adr_user:6` for the own address. */
  addresses: { id: string; address: string }[];
}

/** A partner at one of its addresses. */
export interface Recipient extends Reached {
  address: string;
}

type Settings = Row<'partner_alert_settings'>;

export const addressPrefix = 'adr';
/** True for the id of a partner's address, where a message may also name a channel. */
export const isRecipient = (id: string): boolean => id.startsWith(`${addressPrefix}_`);
export const ownAddressId = (owner: Partner): string => `${addressPrefix}_${owner}`;
/** The ids of all recipients lie between these: `_` is followed by a backquote. */
export const recipientIds = { gte: `${addressPrefix}_`, lt: `${addressPrefix}\`` };

export const defaultSettings = (owner: Partner): Settings => ({ owner, language: 'en', off: [], updated_at: 0 });

/** Returns the active ones of these partners, each with its addresses in use. Takes four queries for any number of partners. */
export async function reachedOf(rows: Rows, owners: readonly Partner[]): Promise<Map<Partner, Reached>> {
  const wanted = [...new Set(owners)];
  const idsOf = (kind: 'account' | 'user') =>
    wanted.filter((owner) => owner.startsWith(`${kind}:`)).map((owner) => owner.slice(kind.length + 1));
  const [settings, addresses, accounts, users] = await Promise.all([
    rows.list('partner_alert_settings', { where: { owner: { in: wanted } } }),
    rows.list('partner_alert_addresses', { where: { owner: { in: wanted }, confirmed_at: { not: null } } }),
    rows.list('accounts', { where: { id: { in: idsOf('account') }, active: true } }),
    rows.list('users', { where: { id: { in: idsOf('user').map(Number) }, active: true } }),
  ]);
  const set = new Map(settings.map((one) => [one.owner, one]));
  const added = Map.groupBy(addresses, ({ owner }) => owner);
  const reached = (owner: Partner, name: string, ownAddress: string | null): [Partner, Reached] => {
    const { language, off } = set.get(owner) ?? defaultSettings(owner);
    const own = ownAddress === null || off.includes('own_address') ? [] : [{ id: ownAddressId(owner), address: ownAddress }];
    const others = (added.get(owner) ?? []).map(({ id, address }) => ({ id, address }));
    return [owner, { owner, name, language, off: new Set(off), ownAddress, addresses: [...own, ...others] }];
  };
  return new Map([
    ...accounts.map(({ id, name }) => reached(`account:${id}`, name, null)),
    ...users.map(({ id, name, email }) => reached(`user:${id}`, name, email)),
  ]);
}

/** Returns the recipient of each of these ids. An address that was removed or switched off has no recipient. */
export async function recipientsById(rows: Rows, ids: readonly string[]): Promise<Map<string, Recipient>> {
  const added = await rows.list('partner_alert_addresses', { where: { id: { in: ids } } });
  const users = ids.map((id) => id.slice(addressPrefix.length + 1)).filter(isUser);
  const partners = await reachedOf(rows, [...added.map(({ owner }) => owner), ...users]);
  const wanted = new Set(ids);
  return new Map(
    [...partners.values()].flatMap((partner) =>
      partner.addresses.flatMap(({ id, address }) => (wanted.has(id) ? [[id, { ...partner, address }] as const] : [])),
    ),
  );
}

const isUser = (owner: string): owner is `user:${number}` => /^user:\d+$/.test(owner);
