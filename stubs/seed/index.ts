import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { Services } from '../../gateway/http/api.ts';
import { type DemoCredentials, demoCredentials, makeDemo } from '../../gateway/start/demo.ts';
import { plans } from '../../spec/documents/plans.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Live } from '../assume/live.ts';
import type { CohesionToken, Credentials, PosAccount } from '../credentials.ts';
import type { PaymentEnding } from './sales.ts';
import type { Seed } from './types.ts';

export interface SeedOptions<A extends ServiceName> {
  seed: Seed<A>;
  /** The plan of the account whose credentials come first (pos). */
  plan?: string | undefined;
  /** Called for each pending payment (pos): `ending` says how and when it ends. */
  ending(id: string, ending: PaymentEnding): void;
  /** The active alternatives, in whose words the seed may be. */
  live: Pick<Live, 'isActive'> | undefined;
}

type Seeder<A extends ServiceName> = (services: Services, options: SeedOptions<A>) => Promise<Credentials[A]>;

const seeders: { [A in ServiceName]: Seeder<A> } = {
  async pos(services, { seed, plan, ending, live }) {
    if (seed === 'demo') return accountOf(smallestFirst(await demoAccounts(services)), plan);
    const { seedPosFixtures } = await import('./pos.ts');
    const { furtherMethods } = await import('../../spec/gaps/is/pos.ts');
    const methods = live?.isActive('pos.payment-methods=further') ? furtherMethods : [];
    return accountOf(await seedPosFixtures(services, seed === 'empty' ? {} : seed, { methods, ending }), plan);
  },
  async cohesion(services, { seed, live }) {
    if (seed === 'demo') return tokenOf(await demoTokensOf(services));
    const { seedCohesionFixtures } = await import('./cohesion.ts');
    const { financingValues } = await import('../../spec/gaps/is/cohesion.ts');
    const names = Object.keys(financingValues) as (keyof typeof financingValues)[];
    const words = live ? names.filter(live.isActive).map((name) => financingValues[name]) : [];
    return tokenOf(await seedCohesionFixtures(services, seed === 'empty' ? {} : seed, words));
  },
};

/** Fills the store of a stub. Returns the credentials for its clients. */
export const fill = <A extends ServiceName>(api: A, services: Services, options: SeedOptions<A>): Promise<Credentials[A]> =>
  seeders[api](services, options);

async function demo({ store, clock, keys }: Services, api: ServiceName): Promise<DemoCredentials> {
  await makeDemo(store, clock, keys, [api]);
  return (await demoCredentials(store, keys)) as DemoCredentials;
}

async function demoAccounts(services: Services): Promise<PosAccount[]> {
  const { pos } = await demo(services, 'pos');
  const keys = await services.store.list('api_keys', {});
  const ownerOf = new Map(keys.map(({ id, account_id }) => [id, account_id]));
  return pos.accounts.map((one) => ({ ...one, owner: `account:${ownerOf.get(one.apiKey)}` }));
}

async function demoTokensOf(services: Services): Promise<CohesionToken[]> {
  const { cohesion } = await demo(services, 'cohesion');
  const rows = await services.store.list('tokens', {});
  const userOf = new Map(rows.map(({ id, user_id }) => [String(id), user_id]));
  return cohesion.tokens.map((one) => ({ ...one, owner: `user:${userOf.get(one.token.split('|')[0] ?? '') ?? 0}` as const }));
}

const planOrder: readonly string[] = plans;
const smallestFirst = (accounts: PosAccount[]) =>
  accounts.toSorted((one, other) => planOrder.indexOf(one.plan) - planOrder.indexOf(other.plan));

function accountOf(accounts: PosAccount[], plan: string | undefined): Credentials['pos'] {
  const wanted = accounts.find((one) => one.plan === (plan ?? 'enterprise')) ?? (plan === undefined ? accounts[0] : undefined);
  if (wanted) return { ...wanted, accounts };
  throw new CouldNotRun(`No account has the plan "${plan}". The accounts' plans: ${accounts.map((one) => one.plan).join(', ')}.`);
}

function tokenOf(tokens: CohesionToken[]): Credentials['cohesion'] {
  const [widest] = tokens.toSorted((one, other) => other.abilities.length - one.abilities.length);
  if (!widest) throw new CouldNotRun('The seed has no token.');
  return { owner: widest.owner, token: widest.token, tokens };
}
