import { exampleValues as ofCohesion } from '../../gateway/api/cohesion/domain/example-values.ts';
import { exampleValues as ofPos } from '../../gateway/api/pos/domain/example-values.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { defined, type KnownValues } from '../../spec/openapi/example.ts';
import type { Credentials } from '../credentials.ts';

/** Finds values in the stub's seed data, so that examples work as they are. */
export const knownValues = <A extends ServiceName>(api: A, store: Store, credentials: Credentials[A]): Promise<KnownValues> =>
  finders[api](store, credentials);

type Finder<A extends ServiceName> = (store: Store, credentials: Credentials[A]) => Promise<KnownValues>;

const finders: { [A in ServiceName]: Finder<A> } = {
  async pos(store, { apiKey, apiSecret }) {
    const key = await store.get('api_keys', { id: apiKey });
    const account = await store.get('accounts', { id: key?.account_id ?? '' });
    const values = await ofPos(store, { accountId: account?.id ?? '', storeIds: account?.store_ids ?? null });
    return defined({ api_key: apiKey, api_secret: apiSecret, ...values });
  },
  async cohesion(store, { token, tokens }) {
    return defined(await ofCohesion(store, tokens.find((one) => one.token === token)?.structures ?? []));
  },
};
