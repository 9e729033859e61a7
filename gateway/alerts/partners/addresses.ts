import { randomInt } from 'node:crypto';
import { invalid, notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret, matchesHash } from '../../base/keyring.ts';
import type { Rows } from '../../store/port.ts';
import type { AlertLanguage, PartnerAlertKind } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { warnWhatWasUnheard } from './expiry.ts';
import { addressPrefix, defaultSettings } from './recipients.ts';

type Address = Row<'partner_alert_addresses'>;

interface Step {
  tx: Rows;
  now: number;
}

/** Each message is sent to each address. */
export const mostAddresses = 5;
export const codeMinutes = 60;
/** The number of tries before a new code must be sent. So nobody can guess the 40 random bits of a code. */
const mostTries = 5;
/** Letters and digits that nobody confuses. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

/** Oldest first. */
export const readAddresses = (rows: Rows, owner: Partner): Promise<Address[]> =>
  rows.list('partner_alert_addresses', { where: { owner }, order: [['id', 'asc']] });

export interface SettingsPatch {
  language?: AlertLanguage | undefined;
  /** Which kinds are on, and whether the user's own address is. Those that are not named stay as they are. */
  on: Partial<Record<PartnerAlertKind | 'own_address', boolean | undefined>>;
}

export async function changeSettings({ tx, now }: Step, owner: Partner, { language, on }: SettingsPatch): Promise<void> {
  const before = (await tx.get('partner_alert_settings', { owner }, { lock: true })) ?? defaultSettings(owner);
  const off = new Set(before.off);
  for (const [name, isOn] of Object.entries(on) as [PartnerAlertKind, boolean | undefined][])
    if (isOn === true) off.delete(name);
    else if (isOn === false) off.add(name);
  const set = { language: language ?? before.language, off: [...off], updated_at: now };
  if (Object.values(on).includes(true)) await warnWhatWasUnheard({ tx, now }, owner);
  const [changed] = await tx.update('partner_alert_settings', { owner }, set);
  if (!changed) await tx.insert('partner_alert_settings', [{ owner, ...set }], { onConflict: 'ignore' });
}

/**
 * Adds an address, or makes a new code for one that is not confirmed. Returns the code, of which only the hash is stored. Throws a
 * conflict if the address is known, or if there are as many as a partner may have.
 */
export async function addAddress({ tx, now }: Step, owner: Partner, address: string): Promise<{ row: Address; code: string }> {
  const known = await tx.list('partner_alert_addresses', { where: { owner }, order: [['id', 'asc']], lock: true });
  const same = known.find((one) => isSameMailbox(one.address, address));
  if (same?.confirmed_at != null) throw new Refusal('conflict', 'address_known', `${same.address} is confirmed already.`);
  const code = newCode();
  const fields = { code_hash: hashSecret(code), code_expires_at: now + codeMinutes * 60_000, code_attempts: 0 };
  if (same) {
    const [row] = await tx.update('partner_alert_addresses', { id: same.id }, { address, ...fields });
    return { row: row as Address, code };
  }
  if (known.length >= mostAddresses)
    throw new Refusal('conflict', 'too_many_addresses', `You have ${known.length} addresses. Remove one first.`);
  const row = { id: newId(addressPrefix), owner, address, ...fields, confirmed_at: null, created_at: now };
  const [made] = await tx.insert('partner_alert_addresses', [row], { onConflict: 'ignore' });
  if (made) return { row: made, code };
  throw new Refusal('conflict', 'address_known', `${address} was added by another call at the same time.`);
}

/** No mail server in use tells mailboxes apart by case. */
export const isSameMailbox = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Removes an address whose code the mail server refused to take. A code that was sent to it before is worthless then. */
export async function dropRefused({ tx }: Step, owner: Partner, id: string): Promise<void> {
  await tx.remove('partner_alert_addresses', { id, owner, confirmed_at: null });
}

/** Returns a code for people to type. */
const newCode = (): string => Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Counts a try of a code before it is checked, in a statement of its own, so that a refusal does not undo it. */
export async function checkCode(rows: Rows, owner: Partner, id: string, code: string, now: number): Promise<void> {
  const found = await readAddress(rows, owner, id);
  if (found.confirmed_at !== null) throw new Refusal('conflict', 'address_known', `${found.address} is confirmed already.`);
  const [tried] = await rows.update(
    'partner_alert_addresses',
    { id, owner, code_expires_at: { gt: now }, code_attempts: { lt: mostTries } },
    { code_attempts: { add: 1 } },
  );
  if (!tried)
    throw new Refusal(
      'conflict',
      'code_ended',
      'This code has expired, or was tried too often. Add the address again to get another one.',
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

/** Confirms an address whose code was checked. The code is used up. */
export async function confirmAddress({ tx, now }: Step, owner: Partner, id: string, code: string): Promise<Address> {
  const where = { id, owner, code_hash: hashSecret(typed(code)), confirmed_at: null };
  const [confirmed] = await tx.update('partner_alert_addresses', where, { confirmed_at: now, code_hash: null });
  if (confirmed) {
    await warnWhatWasUnheard({ tx, now }, owner);
    return confirmed;
  }
  throw new Refusal('conflict', 'code_ended', 'Another code was sent to this address meanwhile. Use the newest one.');
}

/** Removes the address. Messages that wait for it are not sent. */
export async function removeAddress({ tx }: Step, owner: Partner, id: string): Promise<Address> {
  const found = await readAddress(tx, owner, id);
  await tx.update('alert_messages', { channel_id: id, status: 'pending' }, { status: 'skipped' });
  await tx.remove('partner_alert_addresses', { id, owner });
  return found;
}

async function readAddress(rows: Rows, owner: Partner, id: string): Promise<Address> {
  const found = await rows.get('partner_alert_addresses', { id, owner });
  if (found) return found;
  throw notFound('id', `There is no address ${id} of yours. See GET /profile/v1/alerts.`);
}

const unconfirmedKeptMs = 24 * 3_600_000;

/** Removes addresses that nobody confirmed, a day after their code expired. */
export const forgetUnconfirmed = (rows: Rows, now: number): Promise<number> =>
  rows.remove('partner_alert_addresses', { confirmed_at: null, code_expires_at: { lt: now - unconfirmedKeptMs } });
