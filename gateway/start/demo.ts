import { resolve } from 'node:path';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import { tokenRow } from '../api/cohesion/domain/rows.ts';
import { apiKeyRow } from '../api/pos/domain/rows.ts';
import type { Clock } from '../base/clock.ts';
import { SettingsError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { hashSecret, type Keyring } from '../base/keyring.ts';
import type { Rows, Store } from '../store/port.ts';
import { abilityNames } from '../store/tables/cohesion.ts';
import type { Row } from '../store/tables/index.ts';
import type { Settings } from './config.ts';

/** The credentials of the demo data, in the shape that `npm start -- --json` prints. */
export interface DemoCredentials {
  /** Signs in to the console to read everything and change nothing. */
  viewer?: string;
  pos: { accounts: { plan: string; apiKey: string; apiSecret: string }[]; stores: string[] };
  cohesion: { tokens: { name: string; token: string; abilities: string[]; structures: number[] }[] };
}

/** One token per ability, and one with all. `structures` is the size of the perimeter, which only writes need. */
export const demoTokens = [
  ...abilityNames.map((ability) => ({
    name: `demo ${ability}`,
    abilities: [ability],
    structures: ability === 'write:financements' ? 5 : 0,
  })),
  { name: 'demo all abilities', abilities: [...abilityNames], structures: 10 },
];

/** Fills the store for each API. Loaded only if needed. */
const seeds = {
  async pos() {
    const { seedPos } = await import('../api/pos/seed.ts');
    return async (tx: Rows, now: number, keys: Keyring) => {
      await seedPos(tx, now);
      await makeApiKeys(tx, now, keys);
    };
  },
  async cohesion() {
    const { seedCohesion } = await import('../api/cohesion/seed.ts');
    return async (tx: Rows, now: number, keys: Keyring) => {
      await seedCohesion(tx, now);
      await makeTokens(tx, now, keys);
    };
  },
} satisfies Record<ServiceName, unknown>;

/** Tables that a gateway of operators has rows in. */
const ownTables = ['accounts', 'structures', 'endpoints', 'calls'] as const;

/**
 * Returns whether this start has demo data: never beside data of others. Throws a SettingsError if it is asked for (`on`) and the data folder
 * has other data.
 */
export async function decideDemo(store: Store, { DEMO, DATA_DIR }: Pick<Settings, 'DEMO' | 'DATA_DIR'>): Promise<boolean> {
  if (DEMO === 'off') return false;
  if (await store.get('facts', { name: 'demo' })) return true;
  for (const table of ownTables) {
    if ((await store.list(table, { limit: 1 })).length === 0) continue;
    if (DEMO === 'new') return false;
    throw new SettingsError(
      `DEMO=on makes demo data in a new data folder only, and ${resolve(DATA_DIR)} has other data. Set DATA_DIR to a new folder, or remove DEMO.`,
    );
  }
  return true;
}

/** Fills the store with the demo data in one transaction. Does nothing if that was done before. */
export async function makeDemo(
  store: Store,
  clock: Clock,
  keys: Keyring,
  apis: readonly ServiceName[] = serviceNames,
): Promise<void> {
  const fill = await Promise.all(apis.map((api) => seeds[api]()));
  await store.transaction(async (tx) => {
    const now = clock.now();
    const [first] = await tx.insert('facts', [{ name: 'demo', value: 'made', created_at: now }], { onConflict: 'ignore' });
    if (!first) return;
    for (const one of fill) await one(tx, now, keys);
    await makeViewer(tx, now, keys);
  });
}

export const apiKeyOf = (plan: string) => `pk_demo_${plan}`;
export const apiSecretOf = (keys: Keyring, plan: string) => `sk_demo_${keys.demoCredential(`pos ${plan}`)}`;
const viewerCredentialOf = (keys: Keyring) => `vw_demo_${keys.demoCredential('viewer')}`;
export const tokenSecretOf = (keys: Keyring, name: string) => keys.demoCredential(`cohesion ${name}`);

async function makeApiKeys(tx: Rows, now: number, keys: Keyring): Promise<void> {
  const accounts = await tx.list('accounts', { order: [['id', 'asc']] });
  const rows = accounts.map(({ id, plan }) => apiKeyRow(apiKeyOf(plan), id, apiSecretOf(keys, plan), now));
  await tx.append('api_keys', rows);
}

async function makeTokens(tx: Rows, now: number, keys: Keyring): Promise<void> {
  const owner = await tx.get('users', { role: 'gestionnaire', active: true });
  const structures = await tx.list('structures', { where: { active: true }, order: [['id', 'asc']], limit: 10 });
  if (!owner) throw new Error('the demo data has no active user with the role gestionnaire');
  const rows = demoTokens.map(({ name, abilities, structures: count }) => {
    const structure_ids = structures.slice(0, count).map(({ id }) => id);
    return tokenRow({ user_id: owner.id, name, abilities, structure_ids, secret: tokenSecretOf(keys, name) }, now);
  });
  await tx.append('tokens', rows);
}

async function makeViewer(tx: Rows, now: number, keys: Keyring): Promise<void> {
  const viewer = { id: newId('opr'), name: 'viewer', secret_hash: hashSecret(viewerCredentialOf(keys)) };
  await tx.append('operators', [{ ...viewer, role: 'viewer', active: true, created_at: now, last_used_at: null }]);
}

/** The demo credentials that still work; undefined if there is no demo data. */
export async function demoCredentials(store: Store, keys: Keyring): Promise<DemoCredentials | undefined> {
  if (!(await store.get('facts', { name: 'demo' }))) return undefined;
  const viewerCredential = viewerCredentialOf(keys);
  const [viewer, apiKeys, accounts, stores, tokens] = await Promise.all([
    store.get('operators', { secret_hash: hashSecret(viewerCredential), role: 'viewer', active: true }),
    store.list('api_keys', { where: { revoked_at: null } }),
    store.list('accounts', { where: { active: true }, order: [['id', 'asc']] }),
    store.list('stores', { order: [['id', 'asc']] }),
    store.list('tokens', {
      where: { name: { in: demoTokens.map(({ name }) => name) }, revoked_at: null },
      order: [['id', 'asc']],
    }),
  ]);
  const keyOf = (plan: string) =>
    apiKeys.find(({ id, secret_hash }) => id === apiKeyOf(plan) && secret_hash === hashSecret(apiSecretOf(keys, plan)));
  return {
    ...(viewer ? { viewer: viewerCredential } : {}),
    pos: {
      accounts: accounts
        .filter(({ plan }) => keyOf(plan))
        .map(({ plan }) => ({ plan, apiKey: apiKeyOf(plan), apiSecret: apiSecretOf(keys, plan) })),
      stores: stores.map(({ id }) => id),
    },
    cohesion: { tokens: tokens.filter((token) => isOurs(token, keys)).map((token) => shownToken(token, keys)) },
  };
}

const isOurs = (token: Row<'tokens'>, keys: Keyring) => token.token_hash === hashSecret(tokenSecretOf(keys, token.name));

const shownToken = (token: Row<'tokens'>, keys: Keyring) => ({
  name: token.name,
  token: `${token.id}|${tokenSecretOf(keys, token.name)}`,
  abilities: token.abilities,
  structures: token.structure_ids ?? [],
});
