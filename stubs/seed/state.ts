import type { Rows } from '../../gateway/store/port.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Credentials } from '../credentials.ts';
import { eventFixtures } from './events.ts';
import { type PaymentEnding, salesState } from './sales.ts';
import type { CohesionFixtures, Fixtures, PosFixtures } from './types.ts';

/**
 * Returns the data of a running stub as fixtures, so that another stub can start with it. Only hashes of secrets are stored:
 * accounts and tokens that were made while it ran are left out, and their sales get the default account.
 */
export const stateOf = <A extends ServiceName>(api: A, rows: Rows, known: Known<A>): Promise<Fixtures[A]> =>
  readers[api](rows, known);

/** Values that are not in the rows. */
interface Known<A extends ServiceName> {
  credentials: Credentials[A];
  /** How and when a pending payment ends by itself (pos). */
  endingOf(paymentId: string): PaymentEnding | undefined;
}

type Reader<A extends ServiceName> = (rows: Rows, known: Known<A>) => Promise<Fixtures[A]>;
const readers: { [A in ServiceName]: Reader<A> } = { pos: posState, cohesion: cohesionState };

const byId = { order: [['id', 'asc'] as const] };

async function posState(rows: Rows, { credentials: { accounts: known }, endingOf }: Known<'pos'>): Promise<PosFixtures> {
  const [stores, stock, accounts, keys, events] = await Promise.all([
    rows.list('stores', { order: [['id', 'asc']] }),
    rows.list('stock', { order: [['product_id', 'asc']] }),
    rows.list('accounts', {}),
    rows.list('api_keys', { where: { revoked_at: null } }),
    rows.list('events', { where: { service: 'pos' }, order: [['id', 'asc']] }),
  ]);
  const usable = known.flatMap(({ apiKey, apiSecret }) => {
    const account = accounts.find(({ id }) => id === keys.find((key) => key.id === apiKey)?.account_id);
    return account === undefined ? [] : [{ account, apiKey, apiSecret }];
  });
  const apiKeyOf = new Map(usable.map(({ account, apiKey }) => [account.id, apiKey]));
  return {
    stores: stores.map(({ id, name, city, currency }) => ({
      id,
      name,
      city,
      currency,
      products: stock
        .filter(({ store_id }) => store_id === id)
        .map(({ product_id, name: called, category, price, quantity, low_threshold }) => ({
          product_id,
          name: called,
          category,
          price: Number(price),
          quantity: Number(quantity),
          low_threshold: Number(low_threshold),
        })),
    })),
    ...(usable.length === 0
      ? {}
      : {
          accounts: usable.map(({ account: { id, name, plan, store_ids, active }, apiKey, apiSecret }) => ({
            id,
            name,
            plan,
            store_ids,
            active,
            api_key: apiKey,
            api_secret: apiSecret,
          })),
        }),
    sales: await salesState(rows, apiKeyOf, endingOf),
    events: eventFixtures('pos', events),
  };
}

async function cohesionState(rows: Rows, { credentials: { tokens: known } }: Known<'cohesion'>): Promise<CohesionFixtures> {
  const [users, structures, indicators, interventions, financings, plans, tokens, events] = await Promise.all([
    rows.list('users', byId),
    rows.list('structures', byId),
    rows.list('indicators', byId),
    rows.list('interventions', byId),
    rows.list('financings', byId),
    rows.list('plans', { order: [['annee', 'asc']] }),
    rows.list('tokens', { where: { revoked_at: null, expires_at: null }, order: [['id', 'asc']] }),
    rows.list('events', { where: { service: 'cohesion' }, order: [['id', 'asc']] }),
  ]);
  const texts = new Map(known.map(({ token }) => [Number(token.split('|')[0]), token]));
  const usable = tokens.filter(({ id }) => texts.has(id));
  return {
    users: users.map(({ id, name, email, role, structure_ids, active }) => ({ id, name, email, role, structure_ids, active })),
    structures: structures.map(({ id, nom, sigle, type, region, active }) => ({ id, nom, sigle, type, region, active })),
    indicators: indicators.map(({ id, code, intitule, type, unite, cible_annuelle, valeur_courante, is_kpi, active }) => ({
      id,
      code,
      intitule,
      type,
      unite,
      cible_annuelle,
      valeur_courante,
      is_kpi,
      active,
    })),
    interventions: interventions.map(({ search, region_search, created_at, updated_at, budget, ...one }) => ({
      ...one,
      budget: budget === null ? null : Number(budget),
    })),
    financings: financings.map(({ created_at, updated_at, montant, ...one }) => ({ ...one, montant: Number(montant) })),
    plans: plans.map(({ annee, statut }) => ({ annee, statut })),
    ...(usable.length === 0
      ? {}
      : {
          tokens: usable.map(({ id, name, user_id, abilities, structure_ids }) => ({
            name,
            user_id,
            abilities,
            structures: structure_ids,
            token: texts.get(id),
          })),
        }),
    events: eventFixtures('cohesion', events),
  };
}
