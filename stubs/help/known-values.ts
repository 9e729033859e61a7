import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Store } from '../../gateway/store/port.ts';
import type { Credentials } from '../credentials.ts';
import type { KnownValues } from './example.ts';

/** Finds values in the stub's seed data, so that examples work as they are. */
export function knownValues<A extends ServiceName>(api: A, store: Store, credentials: Credentials[A]): Promise<KnownValues> {
  return finders[api](store, credentials as never);
}

const finders = {
  async pos(store: Store, { apiKey, apiSecret }: Credentials['pos']): Promise<KnownValues> {
    const key = await store.get('api_keys', { id: apiKey });
    const [product] = await store.list('stock', { limit: 1 });
    const pending = { account_id: key?.account_id ?? '', status: 'pending' };
    const [sale] = await store.list('sales', { where: pending, order: [['id', 'desc']], limit: 1 });
    return defined({
      api_key: apiKey,
      api_secret: apiSecret,
      store_id: product?.store_id,
      product_id: product?.product_id,
      reference: sale?.reference,
      amount: sale && Number(sale.total) - Number(sale.paid),
    });
  },
  async cohesion(store: Store, { token, tokens }: Credentials['cohesion']): Promise<KnownValues> {
    const ids = { in: tokens.find((one) => one.token === token)?.structures ?? [] };
    const [structure] = await store.list('structures', { where: { id: ids, active: true }, limit: 1 });
    const [financing] = await store.list('financings', { where: { structure_id: ids }, limit: 1 });
    const [indicator] = await store.list('indicators', { where: { active: true }, limit: 1 });
    return defined({
      structure_id: structure?.id,
      '/api/v1/financements/{id}': financing?.id,
      '/api/v1/indicateurs/{id}': indicator?.id,
    });
  },
};

function defined(values: Record<string, unknown>): KnownValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
