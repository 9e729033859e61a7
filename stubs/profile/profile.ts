import { Refusal } from '../../gateway/base/errors.ts';
import type { Endpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Credentials } from '../credentials.ts';
import type { OwnerName } from '../names.ts';
import { knownOwner } from '../owners.ts';
import { deliveriesOf, type Gateway } from '../webhooks.ts';
import type { NewOwnedEndpoint, OwnedEndpoint, StubProfiles } from './types.ts';

export interface ProfileParts<A extends ServiceName> {
  api: A;
  gateway: Gateway;
  credentials: Credentials[A];
  /** Registers an endpoint with the stub. */
  add(endpoint: Omit<NewOwnedEndpoint, 'perimeter'> & { perimeter?: string[] | null }): Promise<{ id: string }>;
}

/** Each API's way to credentials. It is loaded with the first one that a test creates. */
const credentials = () => import('./credentials.ts');

/** `stub.profile`. Members of the other API throw a `Refusal`, for programs without a compiler. */
export function profileOf<A extends ServiceName>({ api, gateway, credentials: own, add }: ProfileParts<A>): StubProfiles[A] {
  const { store, keys } = gateway.services;
  const ownerNamed = (owner: string | undefined, field?: string): Promise<OwnerName<A>> =>
    knownOwner(store, { service: api, owner: owner ?? own.owner, ...(field !== undefined && { field }) });
  const shown = ({ id, url, events, owner, perimeter, active, disabled_reason, secrets }: Endpoint): OwnedEndpoint => ({
    id,
    url,
    events,
    perimeter,
    active,
    disabled_reason,
    // Endpoints are read by their owner, so it is not the operator.
    owner: owner as OwnerName,
    secret: keys.open(secrets[0]?.sealed ?? ''),
  });
  const only = (service: ServiceName, member: string, instead: string) => {
    if (api === service) return;
    throw new Refusal('invalid', 'other_service', `${api} has no ${member}. It belongs to ${service}: use ${instead}.`);
  };
  const profile: StubProfiles['pos'] & StubProfiles['cohesion'] = {
    async createEndpoint({ owner, perimeter, ...endpoint }) {
      const { id } = await add({ ...endpoint, owner: await ownerNamed(owner), perimeter: perimeter?.map(String) ?? null });
      return shown((await store.get('endpoints', { id })) as Endpoint);
    },
    async endpoints(owner) {
      const where = { owner: await ownerNamed(owner), deleted_at: null };
      return (await store.list('endpoints', { where, order: [['id', 'asc']] })).map(shown);
    },
    async deliveries(owner) {
      const endpoints = await store.list('endpoints', { where: { owner: await ownerNamed(owner) } });
      return deliveriesOf(gateway, { endpoint_id: { in: endpoints.map(({ id }) => id) } });
    },
    async createKey({ account } = {}) {
      only('pos', 'API keys', 'stub.profile.createToken');
      const owner = (await ownerNamed(account, 'account')) as OwnerName<'pos'>;
      return (await credentials()).createKey(gateway.services, owner);
    },
    async createToken({ user, ...token }) {
      only('cohesion', 'tokens of users', 'stub.profile.createKey');
      const named = typeof user === 'number' ? `user:${user}` : user;
      const owner = (await ownerNamed(named, 'user')) as OwnerName<'cohesion'>;
      return (await credentials()).createToken(gateway.services, owner, token);
    },
  };
  return profile;
}
