import { invalid, type Refusal } from '../base/errors.ts';
import { text } from '../http/fields.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import type { EventService, Owner, Partner } from '../store/tables/webhooks.ts';
import type { NamedPartner } from '../webhooks/endpoints/endpoints.ts';
import { type OwnerKindName, partsOf, readOwner, serviceOf } from '../webhooks/outbox/owners.ts';
import { namesThrough } from './owner-names.ts';

/** The filter `partner` of lists: part of a name, in any case, with or without accents. */
export const partnerFilter = text(100).optional();

/** What it means for deliveries and events. */
export const aboutSubjects =
  'Part of the name of the store or structure that the event concerns, or of an account to which the store is assigned, in any case, with or without accents. An account that may use all stores has none assigned.';

/** A list is filtered by at most so many ids. More of them are refused, because the name says too little. */
const mostIds = 500;
/** Partners are made by hand. This only bounds the memory of one call. */
const mostRead = 20_000;

const folded = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

const isNamed = (partner: string) => {
  const wanted = folded(partner.trim());
  return ({ name }: { name: string }) => folded(name).includes(wanted);
};

const nameOfStructure = ({ nom, sigle }: Row<'structures'>) => (sigle === null ? nom : `${sigle}, ${nom}`);

/**
 * The callers of recorded calls whose account, or whose user or token, has this in its name, or whose account or user has
 * this id. Undefined without a name.
 * Throws `invalid` if it is part of too many names.
 */
export async function callersNamed(rows: Rows, partner: string | undefined): Promise<string[] | undefined> {
  if (partner === undefined) return undefined;
  const fits = isNamed(partner);
  const [partners, tokens] = await Promise.all([allPartners(rows), rows.list('tokens', { limit: mostRead })]);
  const found = partners.filter((one) => fits(one) || one.id === partner);
  const owners = new Set<string>(found.map(({ id }) => id));
  const named = tokens.filter((token) => fits(token) || owners.has(`user:${token.user_id}`));
  const accounts = found.filter(({ kind }) => kind === 'account');
  return bounded(partner, [...accounts.map(({ id }) => id), ...named.map(({ id }) => `token:${id}`)]);
}

/**
 * The subjects of events, stores and structures, that have this in their name, and the stores of accounts that do.
 * Undefined without a name. Throws `invalid` if it is part of too many names.
 */
async function subjectsNamed(rows: Rows, partner: string | undefined): Promise<string[] | undefined> {
  if (partner === undefined) return undefined;
  const fits = isNamed(partner);
  const [stores, accounts, structures] = await Promise.all([
    rows.list('stores', { limit: mostRead }),
    rows.list('accounts', { limit: mostRead }),
    rows.list('structures', { limit: mostRead }),
  ]);
  const ofAccounts = accounts.filter(fits).flatMap(({ store_ids }) => store_ids ?? []);
  const ofStructures = structures.filter((one) => fits({ name: nameOfStructure(one) })).map(({ id }) => String(id));
  const ofStores = stores.filter(fits).map(({ id }) => id);
  return bounded(partner, [...new Set([...ofStores, ...ofAccounts, ...ofStructures])]);
}

/** Replaces the filter `partner` with the subjects that it names. */
export async function withSubjects<I extends { partner?: string | undefined }>(rows: Rows, { partner, ...rest }: I) {
  return { ...rest, subjects: await subjectsNamed(rows, partner) };
}

/**
 * Replaces the filter `partner` with the owners that it names, accounts and users, and with the subjects. Throws `invalid` if it
 * is part of too many names, or if the filter `owner` names nobody.
 */
export async function withPartner<I extends { partner?: string | undefined; owner?: Partner | undefined }>(
  rows: Rows,
  { partner, ...rest }: I,
): Promise<Omit<I, 'partner'> & { partner: NamedPartner | undefined }> {
  const [owners, subjects] = await Promise.all([
    ownersNamed(rows, partner),
    subjectsNamed(rows, partner),
    refuseUnknownOwner(rows, rest.owner),
  ]);
  return { ...rest, partner: owners && subjects && { owners, subjects } };
}

async function ownersNamed(rows: Rows, partner: string | undefined): Promise<Owner[] | undefined> {
  if (partner === undefined) return undefined;
  const found = (await allPartners(rows)).filter(isNamed(partner));
  return bounded(
    partner,
    found.map(({ id }) => id),
  );
}

/** An account or a user, as a choice of an owner. */
export interface ListedPartner {
  id: Partner;
  kind: OwnerKindName;
  service: EventService;
  name: string;
  active: boolean;
}

/** The accounts and users that have this in their name, or have this id, in the order of their names. Without a name: all. */
export async function listPartners(
  rows: Rows,
  { q, service, limit }: { q?: string | undefined; service?: EventService | undefined; limit: number },
): Promise<{ data: ListedPartner[]; more: boolean }> {
  const fits = isNamed(q ?? '');
  const found = (await allPartners(rows))
    .filter((one) => (fits(one) || one.id === q) && (service === undefined || one.service === service))
    .sort((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
  return { data: found.slice(0, limit), more: found.length > limit };
}

/** All accounts, then all users. */
async function allPartners(rows: Rows): Promise<ListedPartner[]> {
  const [accounts, users] = await Promise.all([
    rows.list('accounts', { limit: mostRead }),
    rows.list('users', { limit: mostRead }),
  ]);
  const listed = (id: Partner, { name, active }: Row<'accounts'> | Row<'users'>): ListedPartner => ({
    id,
    kind: partsOf(id).kind,
    service: serviceOf(id),
    name,
    active,
  });
  return [...accounts.map((one) => listed(`account:${one.id}`, one)), ...users.map((one) => listed(`user:${one.id}`, one))];
}

/** Throws `invalid` for a partner that does not exist: a list of what it owns would look empty. */
export async function refuseUnknownOwner(rows: Rows, owner: Partner | undefined): Promise<void> {
  if (owner !== undefined && !(await readOwner(rows, owner))) throw unknownOwner(owner);
}

export function unknownOwner(owner: Partner): Refusal {
  const { kind, id } = partsOf(owner);
  const message = `There is no ${kind} ${JSON.stringify(id)}. GET /manage/v1/partners finds accounts and users by their names.`;
  return invalid('owner', 'unknown_owner', message);
}

function bounded<V>(partner: string, ids: V[]): V[] {
  if (ids.length <= mostIds) return ids;
  const message = `${JSON.stringify(partner)} is part of the names of ${ids.length} partners. Give more of the name.`;
  throw invalid('partner', 'too_many_partners', message);
}

export interface Subject {
  service: string;
  /** The id of a store or structure. */
  subject: string | null;
}

/** Returns a function that names the stores and structures of these subjects. Those that no longer exist have no name. */
export async function namesOf(rows: Rows, subjects: readonly Subject[]): Promise<(of: Subject) => string | null> {
  const ids = (service: string) => [
    ...new Set(subjects.flatMap((one) => (one.service === service && one.subject !== null ? [one.subject] : []))),
  ];
  const structureIds = ids('cohesion').map(Number).filter(Number.isSafeInteger);
  const [stores, structures] = await Promise.all([
    rows.list('stores', { where: { id: { in: ids('pos') } } }),
    rows.list('structures', { where: { id: { in: structureIds } } }),
  ]);
  const names = new Map([
    ...stores.map(({ id, name }): [string, string] => [`pos:${id}`, name]),
    ...structures.map((one): [string, string] => [`cohesion:${one.id}`, nameOfStructure(one)]),
  ]);
  return ({ service, subject }) => names.get(`${service}:${subject}`) ?? null;
}

/** An owner as lists show it. `name` is null if the owner no longer exists; all are null for the operator. */
export interface NamedOwner {
  id: Partner | null;
  kind: OwnerKindName | null;
  name: string | null;
}

/** Returns a function that names owners. Names are kept, so that most pages read none (`owner-names.ts`). */
export async function ownersOf(rows: Rows, owners: readonly Owner[]): Promise<(owner: Owner) => NamedOwner> {
  const partners = new Set(owners.filter((owner) => owner !== 'operator'));
  const names = await namesThrough(rows, partners);
  return (owner) =>
    owner === 'operator'
      ? { id: null, kind: null, name: null }
      : { id: owner, kind: partsOf(owner).kind, name: names.get(owner) ?? null };
}
