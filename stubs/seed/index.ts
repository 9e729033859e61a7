import type { ServiceName } from '../../contracts/documents/services.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { Services } from '../../gateway/http/api.ts';
import { type DemoCredentials, demoCredentials, makeDemo } from '../../gateway/start/demo.ts';
import type { Credentials, PosAccount } from '../credentials.ts';
import type { Seed } from './types.ts';

export interface SeedOptions<A extends ServiceName> {
  seed: Seed<A>;
  /** The plan of the account whose credentials come first (pos). */
  plan?: string | undefined;
}

const seeders = {
  async pos(services: Services, { seed, plan }: SeedOptions<'pos'>): Promise<Credentials['pos']> {
    if (seed === 'demo') return accountOf(smallestFirst((await demo(services, 'pos')).pos.accounts), plan);
    const { seedPosFixtures } = await import('./pos.ts');
    return accountOf(await seedPosFixtures(services, seed === 'empty' ? {} : seed), plan);
  },
  async cohesion(services: Services, { seed }: SeedOptions<'cohesion'>): Promise<Credentials['cohesion']> {
    if (seed === 'demo') return tokenOf((await demo(services, 'cohesion')).cohesion.tokens);
    const { seedCohesionFixtures } = await import('./cohesion.ts');
    return tokenOf(await seedCohesionFixtures(services, seed === 'empty' ? {} : seed));
  },
};

/** Fills the store of a stub. Returns the credentials for its clients. */
export function fill<A extends ServiceName>(api: A, services: Services, options: SeedOptions<A>): Promise<Credentials[A]> {
  return seeders[api](services, options as never) as Promise<Credentials[A]>;
}

async function demo({ store, clock, keys }: Services, api: ServiceName): Promise<DemoCredentials> {
  await makeDemo(store, clock, keys, [api]);
  return (await demoCredentials(store, keys)) as DemoCredentials;
}

const planOrder = ['free', 'pro', 'enterprise'];
const smallestFirst = (accounts: PosAccount[]) =>
  accounts.toSorted((one, other) => planOrder.indexOf(one.plan) - planOrder.indexOf(other.plan));

function accountOf(accounts: PosAccount[], plan: string | undefined): Credentials['pos'] {
  const wanted = accounts.find((one) => one.plan === (plan ?? 'enterprise')) ?? (plan === undefined ? accounts[0] : undefined);
  if (wanted) return { ...wanted, accounts };
  throw new CouldNotRun(`No account has the plan "${plan}". The accounts' plans: ${accounts.map((one) => one.plan).join(', ')}.`);
}

function tokenOf(tokens: Credentials['cohesion']['tokens']): Credentials['cohesion'] {
  const widest = tokens.toSorted((one, other) => other.abilities.length - one.abilities.length)[0];
  return { token: widest?.token ?? '', tokens };
}
