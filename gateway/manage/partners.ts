import { invalid } from '../base/errors.ts';
import { text } from '../http/fields.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/** The filter `partner` of lists: part of a name, in any case, with or without accents. */
export const partnerFilter = text(100).optional();

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
 * The callers of recorded calls whose account, or whose user or token, has this in its name. Undefined without a name.
 * Throws `invalid` if it is part of too many names.
 */
export async function callersNamed(rows: Rows, partner: string | undefined): Promise<string[] | undefined> {
  if (partner === undefined) return undefined;
  const fits = isNamed(partner);
  const [accounts, users, tokens] = await Promise.all([
    rows.list('accounts', { limit: mostRead }),
    rows.list('users', { limit: mostRead }),
    rows.list('tokens', { limit: mostRead }),
  ]);
  const userIds = new Set(users.filter(fits).map(({ id }) => id));
  return bounded(partner, [
    ...accounts.filter(fits).map(({ id }) => `account:${id}`),
    ...tokens.filter((token) => fits(token) || userIds.has(token.user_id)).map(({ id }) => `token:${id}`),
  ]);
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

function bounded(partner: string, ids: string[]): string[] {
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
