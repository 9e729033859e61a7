import { invalid } from '../gateway/base/errors.ts';
import type { Services } from '../gateway/http/api.ts';
import type { MemoryStore } from '../gateway/store/memory/store.ts';
import type { EventDefinition } from '../gateway/webhooks/outbox/event.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { KnownValues } from '../spec/openapi/example.ts';
import type { Assumptions } from './assume/assumptions.ts';
import type { Credentials } from './credentials.ts';
import { addEndpoint, checkSecret, followEndpoints, removeEndpoint, usualSecret } from './endpoints.ts';
import { knownValues } from './help/known-values.ts';
import type { StubMobileMoney } from './payments/mobile-money.ts';
import { fill } from './seed/index.ts';
import type { Fixtures } from './seed/types.ts';
import type { Stub, StubOptions } from './types.ts';
import type { NewStubEndpoint, StubEndpoint } from './webhook-types.ts';
import { marksOf } from './worlds/credentials.ts';

export interface DataParts {
  services: Services;
  catalogue: readonly EventDefinition[];
  memory: MemoryStore;
  /** Ends pending payments (pos). */
  payments: StubMobileMoney | undefined;
  assumptions: Pick<Assumptions, 'live'>;
  /** The name of the world whose data it is. Its credentials are like no others. */
  world?: string | undefined;
}

export interface StubData<A extends ServiceName> {
  credentials: Credentials[A];
  /** Values that exist in the data, for examples. */
  known: KnownValues;
  /** The signing secret of endpoints without their own. */
  secret: string;
  endpoints: Stub['endpoints'];
  /** As `endpoints.add`; the endpoint may be narrowed to some stores or structures. */
  add(endpoint: NewStubEndpoint & { perimeter?: string[] | null }): Promise<StubEndpoint>;
  state(): Promise<Fixtures[A]>;
  /** Restores the initial data of the store. */
  reset(): Promise<void>;
}

/** Fills the store by the options. Throws `CouldNotRun` or a `Refusal` for data that cannot be used. */
export async function openData<A extends ServiceName>(api: A, parts: DataParts, options: StubOptions<A>): Promise<StubData<A>> {
  const { services, memory, payments, assumptions, world } = parts;
  const { store } = services;
  const filled = await fill(api, services, {
    seed: options.seed ?? 'demo',
    plan: options.plan,
    ending: (id, ending) => payments?.addOfSeed(id, ending),
    live: assumptions.live,
  });
  const credentials = world === undefined ? filled : await marksOf(api).rename(services, filled, world);
  const secret = checkSecret(options.secret ?? usualSecret(services.keys, api));
  const endpoints = followEndpoints(services);
  const add: StubData<A>['add'] = async (endpoint) => {
    if (endpoint.events?.length === 0)
      throw invalid('events', 'not_empty', 'An endpoint needs at least one event type. For all events, leave "events" out.');
    return addEndpoint(parts, api, { ...endpoint, secret: endpoint.secret ?? secret });
  };
  for (const endpoint of options.webhooks ?? []) await add(endpoint);
  const endpointsAtStart = [...endpoints];
  const known = await knownValues(api, store, credentials);
  const restore = await memory.remember();
  return {
    credentials,
    known,
    secret,
    endpoints: {
      list: () => [...endpoints.values()],
      add: (endpoint) => add(endpoint),
      remove: (id) => removeEndpoint(parts, id),
    },
    add,
    async state() {
      const { stateOf } = await import('./seed/state.ts');
      return store.transaction((rows) => stateOf(api, rows, { credentials, endingOf: (id) => payments?.endingOf(id) }));
    },
    async reset() {
      // Sessions of the operator's token survive, so that the console stays signed in.
      const sessions = await store.list('sessions', { where: { operator_id: null } });
      await restore();
      await store.append('sessions', sessions);
      endpoints.clear();
      for (const [id, endpoint] of endpointsAtStart) endpoints.set(id, endpoint);
    },
  };
}
