import type { ServiceName } from '../contracts/documents/services.ts';
import type { Services } from '../gateway/http/api.ts';
import type { MemoryStore } from '../gateway/store/memory/store.ts';
import type { EventDefinition } from '../gateway/webhooks/outbox/event.ts';
import type { Credentials } from './credentials.ts';
import type { KnownValues } from './help/example.ts';
import { knownValues } from './help/known-values.ts';
import { fill } from './seed/index.ts';
import type { StubOptions } from './types.ts';
import type { StubEndpoint } from './webhook-types.ts';
import { addEndpoint } from './webhooks.ts';

export interface DataParts {
  services: Services;
  catalogue: readonly EventDefinition[];
  memory: MemoryStore;
}

/** The data that a stub starts with. */
export interface StubData<A extends ServiceName> {
  credentials: Credentials[A];
  /** Values that exist in the data, for examples. */
  known: KnownValues;
  endpoints: {
    list(): StubEndpoint[];
    add(endpoint: { url: string; events?: string[] | null }): Promise<StubEndpoint>;
  };
  /** Restores the initial data of the store. */
  reset(): Promise<void>;
}

/** Fills the store by the options. Throws `CouldNotRun` or a `Refusal` for data that cannot be used. */
export async function openData<A extends ServiceName>(api: A, parts: DataParts, options: StubOptions<A>): Promise<StubData<A>> {
  const { services, memory } = parts;
  const { store } = services;
  const credentials = await fill(api, services, { seed: options.seed ?? 'demo', plan: options.plan });
  const endpoints: StubEndpoint[] = [];
  const add: StubData<A>['endpoints']['add'] = async (endpoint) => {
    const added = await addEndpoint(parts, api, { ...endpoint, place: endpoints.length + 1 });
    endpoints.push(added);
    return added;
  };
  for (const endpoint of options.webhooks ?? []) await add(endpoint);
  const endpointsAtStart = endpoints.length;
  const known = await knownValues(api, store, credentials);
  const restore = await memory.remember();
  return {
    credentials,
    known,
    endpoints: { list: () => [...endpoints], add },
    async reset() {
      // Sessions of the operator's token survive, so that the console stays signed in.
      const sessions = options.console ? await store.list('sessions', { where: { operator_id: null } }) : [];
      await restore();
      await store.append('sessions', sessions);
      endpoints.length = endpointsAtStart;
    },
  };
}
