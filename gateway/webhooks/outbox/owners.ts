import type { Rows } from '../../store/port.ts';
import type { UserRole } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import type { EventService, Owner, Partner, SkipReason, Visible } from '../../store/tables/webhooks.ts';
import { healthy, isUnverified, skipReasonOf } from '../model/activity.ts';
import type { Change } from './change.ts';
import { replaceSubscriptions, sees } from './subscriptions.ts';

type Endpoint = Row<'endpoints'>;

/** The properties of an owner that its endpoints follow. */
export interface OwnerState {
  owner: Partner;
  visible: Visible;
  active: boolean;
}

/** Who sees events about no structure, such as a closed plan (gap cohesion.user-perimeter). */
const seesUnscoped: Record<UserRole, boolean> = { admin: true, gestionnaire: true, lecteur: false };

export const stateOfAccount = ({ id, store_ids, active }: Row<'accounts'>): OwnerState => ({
  owner: `account:${id}`,
  // Every event of the point of sale is about a store.
  visible: { subjects: store_ids && [...new Set(store_ids)], unscoped: false },
  active,
});

export const stateOfUser = ({ id, structure_ids, role, active }: Row<'users'>): OwnerState => ({
  owner: `user:${id}`,
  visible: { subjects: structure_ids && [...new Set(structure_ids.map(String))], unscoped: seesUnscoped[role] },
  active,
});

const largestId = 2 ** 31 - 1;

interface OwnerKind {
  service: EventService;
  /** Reads the owner; undefined if there is none. */
  read(rows: Rows, id: string, options: { lock?: boolean }): Promise<OwnerState | undefined>;
  /** Returns which of these stores or structures exist. */
  existing(rows: Rows, subjects: readonly string[]): Promise<string[]>;
}

/** Ids of users and structures are numbers, and each has one spelling, so that nothing has two names. */
const isNumberId = (id: string) => /^[1-9][0-9]{0,9}$/.test(id) && Number(id) <= largestId;

/** The kinds of owners, by the word before the id. */
export const ownerKinds = {
  account: {
    service: 'pos',
    async read(rows, id, options) {
      const row = await rows.get('accounts', { id }, options);
      return row && stateOfAccount(row);
    },
    async existing(rows, subjects) {
      const found = await rows.list('stores', { where: { id: { in: subjects } } });
      return found.map(({ id }) => id);
    },
  },
  user: {
    service: 'cohesion',
    async read(rows, id, options) {
      if (!isNumberId(id)) return undefined;
      const row = await rows.get('users', { id: Number(id) }, options);
      return row && stateOfUser(row);
    },
    async existing(rows, subjects) {
      const found = await rows.list('structures', { where: { id: { in: subjects.filter(isNumberId).map(Number) } } });
      return found.map(({ id }) => String(id));
    },
  },
} as const satisfies Record<string, OwnerKind>;

export type OwnerKindName = keyof typeof ownerKinds;

/** Splits `account:acc_1`, or `user:6`. */
export function partsOf(owner: Partner): { kind: OwnerKindName; id: string } {
  const at = owner.indexOf(':');
  return { kind: owner.slice(0, at) as OwnerKindName, id: owner.slice(at + 1) };
}

/** The API that a partner calls, and whose events its endpoints receive. */
export const serviceOf = (owner: Partner) => ownerKinds[partsOf(owner).kind].service;

/** True for the form of a partner's name, whether it exists or not. */
export function isPartner(text: string): text is Partner {
  const [, kind = '', id = ''] = /^([a-z]+):([A-Za-z0-9._-]{1,100})$/.exec(text) ?? [];
  return Object.hasOwn(ownerKinds, kind) && id !== '';
}

/**
 * Reads an owner; undefined for the operator and for one that does not exist. A change that makes or activates an endpoint locks
 * its owner, before it locks the endpoint, as a change of the owner does. So neither misses the other, and they cannot deadlock.
 */
export async function readOwner(rows: Rows, owner: Owner, options: { lock?: boolean } = {}): Promise<OwnerState | undefined> {
  if (owner === 'operator') return undefined;
  const { kind, id } = partsOf(owner);
  return ownerKinds[kind].read(rows, id, options);
}

/** Returns the stores or structures of these that exist and that the owner may see. */
export async function seenBy(
  rows: Rows,
  { owner, visible }: OwnerState,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { kind } = partsOf(owner);
  // A list of ids was checked when the owner got it.
  const known = visible.subjects ?? (await ownerKinds[kind].existing(rows, subjects));
  return new Set(known);
}

/**
 * Copies what an owner may see to its endpoints, and disables or activates them with it. Ends the sessions of an inactive owner.
 * Call it in the transaction that changes the owner, after the change of its row. An endpoint that is disabled for another reason
 * keeps that reason.
 */
export async function followOwner(
  { tx, now }: Pick<Change, 'tx' | 'now'>,
  { owner, visible, active }: OwnerState,
): Promise<void> {
  // A session would live on if the owner became active again before its next call.
  if (!active) await tx.remove('profile_sessions', { owner });
  const where = { owner, deleted_at: null };
  const endpoints = await tx.list('endpoints', { where, order: [['id', 'asc']], lock: true });
  if (endpoints.length === 0) return;
  if (endpoints.some((endpoint) => !isSame(endpoint.visible, visible)))
    await tx.update('endpoints', where, { visible, updated_at: now });
  if (active) {
    const waiting = { ...where, disabled_reason: 'owner_inactive' } as const;
    await tx.update('endpoints', waiting, { active: true, disabled_reason: null, ...healthy, updated_at: now });
  } else {
    const working = { ...where, active: true };
    await tx.update('endpoints', working, { active: false, disabled_reason: 'owner_inactive', updated_at: now });
  }
  await replaceSubscriptions(
    tx,
    endpoints.map((endpoint) => ({ before: endpoint, after: { ...endpoint, visible } })),
  );
}

const isSame = (before: Visible | null, after: Visible): boolean =>
  before !== null && before.unscoped === after.unscoped && JSON.stringify(before.subjects) === JSON.stringify(after.subjects);

/** A test event is about the endpoint itself, so that nobody else's perimeter has it and its owner may always see it. */
export const isTestOf = ({ id }: Pick<Endpoint, 'id'>, { subject }: Pick<Row<'events'>, 'subject'>): boolean => subject === id;

/** Returns why an event may not be sent to the endpoint now; null if it may. */
export function whyNotSent(
  endpoint: Pick<Endpoint, 'id' | 'active' | 'disabled_reason' | 'visible'>,
  event: Pick<Row<'events'>, 'subject'>,
): SkipReason | null {
  const isTest = isTestOf(endpoint, event);
  // A test is how an endpoint is verified.
  const why = isTest && isUnverified(endpoint) ? null : skipReasonOf(endpoint);
  return why ?? (isTest || sees(endpoint.visible, event.subject) ? null : 'not_visible');
}
