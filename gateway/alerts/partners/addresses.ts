import { randomInt } from 'node:crypto';
import { invalid, Refusal } from '../../base/errors.ts';
import { hashSecret, matchesHash } from '../../base/keyring.ts';
import type { Rows } from '../../store/port.ts';
import type { AlertLanguage } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { tellOfOpen } from '../messages.ts';

type Address = Row<'partner_alert_addresses'>;

interface Step {
  tx: Rows;
  now: number;
}

export const codeMinutes = 60;
/** The number of tries before a new code must be sent. So nobody can guess the 40 random bits of a code. */
const mostTries = 5;
/** Letters and digits that nobody confuses. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

const addressPrefix = 'adr_';
/** The id under which messages wait for a partner, where others wait for a channel. */
export const recipientId = (owner: Partner): string => `${addressPrefix}${owner}`;
/** The ids of all partners lie between these: `_` is followed by a backquote. */
export const recipientIds = { gte: addressPrefix, lt: 'adr`' };

export const readAddress = (rows: Rows, owner: Partner): Promise<Address | undefined> =>
  rows.get('partner_alert_addresses', { owner });

export const confirmedAddresses = (rows: Rows, owners: readonly Partner[]): Promise<Address[]> =>
  rows.list('partner_alert_addresses', { where: { owner: { in: [...new Set(owners)] }, confirmed_at: { not: null } } });

/** An active partner with the address that it has confirmed. */
export type Recipient = Pick<Address, 'owner' | 'address' | 'language'> & { name: string };

/** Returns the active ones of these partners that have confirmed an address, by the ids under which their messages wait. */
export async function recipientsById(rows: Rows, ids: readonly string[]): Promise<Map<string, Recipient>> {
  const owners = ids.filter((id) => id.startsWith(addressPrefix)).map((id) => id.slice(addressPrefix.length) as Partner);
  const addresses = await confirmedAddresses(rows, owners);
  const names = await activePartners(
    rows,
    addresses.map(({ owner }) => owner),
  );
  return new Map(
    addresses.flatMap(({ owner, address, language }) => {
      const name = names.get(owner);
      return name === undefined ? [] : [[recipientId(owner), { owner, address, language, name }] as const];
    }),
  );
}

/** Returns the names of those partners that are active. */
export async function activePartners(rows: Rows, owners: readonly Partner[]): Promise<Map<Partner, string>> {
  const idsOf = (kind: 'account' | 'user') =>
    owners.filter((owner) => owner.startsWith(`${kind}:`)).map((owner) => owner.slice(kind.length + 1));
  const [accounts, users] = await Promise.all([
    rows.list('accounts', { where: { id: { in: idsOf('account') }, active: true } }),
    rows.list('users', { where: { id: { in: idsOf('user').map(Number) }, active: true } }),
  ]);
  return new Map([
    ...accounts.map(({ id, name }): [Partner, string] => [`account:${id}`, name]),
    ...users.map(({ id, name }): [Partner, string] => [`user:${id}`, name]),
  ]);
}

/**
 * Sets the address, which is not confirmed yet. Returns the code, of which only the hash is stored. If this address is confirmed,
 * only the language changes, and there is no code. Throws a conflict if another address is confirmed.
 */
export async function setAddress(
  { tx, now }: Step,
  owner: Partner,
  { address, language }: { address: string; language: AlertLanguage },
): Promise<{ row: Address; code: string | null }> {
  const known = await tx.get('partner_alert_addresses', { owner }, { lock: true });
  if (known?.confirmed_at != null) {
    if (!isSameMailbox(known.address, address))
      throw new Refusal('conflict', 'address_known', `${known.address} gets your alerts. Remove it first.`);
    const [row] = await tx.update('partner_alert_addresses', { owner }, { language });
    return { row: row as Address, code: null };
  }
  const code = newCode();
  const fields = { code_hash: hashSecret(code), code_expires_at: now + codeMinutes * 60_000, code_attempts: 0 };
  const row = { owner, address, language, ...fields, confirmed_at: null, created_at: now };
  await tx.remove('partner_alert_addresses', { owner, confirmed_at: null });
  const [made] = await tx.insert('partner_alert_addresses', [row], { onConflict: 'ignore' });
  if (made) return { row: made, code };
  throw new Refusal('conflict', 'address_known', 'Another call set your address at the same time.');
}

/** No mail server in use tells mailboxes apart by case. */
const isSameMailbox = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns a code for people to type. */
const newCode = (): string => Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Counts a try of a code before it is checked, in a statement of its own, so that a refusal does not undo it. */
export async function checkCode(rows: Rows, owner: Partner, code: string, now: number): Promise<void> {
  const found = await readAddress(rows, owner);
  if (!found) throw new Refusal('conflict', 'no_address', 'You have no address. Set one: PUT /profile/v1/alerts/address.');
  if (found.confirmed_at !== null) throw new Refusal('conflict', 'address_known', `${found.address} is confirmed already.`);
  const [tried] = await rows.update(
    'partner_alert_addresses',
    { owner, code_expires_at: { gt: now }, code_attempts: { lt: mostTries } },
    { code_attempts: { add: 1 } },
  );
  if (!tried)
    throw new Refusal(
      'conflict',
      'code_ended',
      'This code has expired, or was tried too often. Set the address again to get another.',
    );
  if (!matchesHash(typed(code), tried.code_hash ?? undefined))
    throw invalid(
      'secret_code',
      'wrong_code',
      `This is not the code that was sent to ${tried.address}. Copy it from the newest message.`,
    );
}

/** As people type it: in small letters, in groups. */
const typed = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Confirms the address whose code was checked. The code is used up. Alerts that are still open are sent there. */
export async function confirmAddress({ tx, now }: Step, owner: Partner, code: string): Promise<Address> {
  const where = { owner, code_hash: hashSecret(typed(code)), confirmed_at: null };
  const [confirmed] = await tx.update('partner_alert_addresses', where, { confirmed_at: now, code_hash: null });
  if (!confirmed)
    throw new Refusal('conflict', 'code_ended', 'Another code was sent to this address meanwhile. Use the newest one.');
  await tellOfOpen(tx, recipientId(owner), { about: owner }, now);
  return confirmed;
}

/** Removes the address. Messages that wait for it are not sent. */
export async function removeAddress({ tx }: Pick<Step, 'tx'>, owner: Partner): Promise<void> {
  await tx.update('alert_messages', { channel_id: recipientId(owner), status: 'pending' }, { status: 'skipped' });
  await tx.remove('partner_alert_addresses', { owner });
}

const unconfirmedKeptMs = 24 * 3_600_000;

/** Removes addresses that nobody confirmed, a day after their code expired. */
export const forgetUnconfirmed = (rows: Rows, now: number): Promise<number> =>
  rows.remove('partner_alert_addresses', { confirmed_at: null, code_expires_at: { lt: now - unconfirmedKeptMs } });
