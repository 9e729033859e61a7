/** Calls that the clients' types must refuse. Nothing here runs: `npm run types` checks it. */
import type { CohesionClient } from '../../spec/clients/cohesion.ts';
import type { PosClient } from '../../spec/clients/pos.ts';
import { financing } from '../stubs/dashboard.ts';
import { mobileSale } from '../stubs/till.ts';

export function refusedByPos(client: PosClient): unknown[] {
  return [
    // @ts-expect-error a sale has a total
    client.POST('/api/v1/sales', { body: { ...mobileSale, total: undefined } }),
    // @ts-expect-error shells are not a payment method
    client.POST('/api/v1/sales', { body: { ...mobileSale, payment_method: 'shells' } }),
    // @ts-expect-error the field is called quantity
    client.POST('/api/v1/sales', { body: { ...mobileSale, items: [{ product_id: 'PRD-0001', qty: 2, price: 750 }] } }),
    // @ts-expect-error an inventory needs a store
    client.GET('/api/v1/inventory', { params: { query: {} } }),
    // @ts-expect-error there is no such operation
    client.GET('/api/v1/sales', {}),
  ];
}

export function refusedByCohesion(client: CohesionClient): unknown[] {
  return [
    // @ts-expect-error a financing has an amount
    client.POST('/api/v1/financements', { body: { ...financing, montant: undefined } }),
    // @ts-expect-error an amount is a number
    client.PUT('/api/v1/financements/{id}', { params: { path: { id: 1 } }, body: { montant: '25000000' } }),
    // @ts-expect-error the financing's id is missing
    client.PUT('/api/v1/financements/{id}', { body: { montant: 1 } }),
    // @ts-expect-error indicators have three types
    client.GET('/api/v1/indicateurs', { params: { query: { type: 'effet' } } }),
    // @ts-expect-error structures cannot be deleted
    client.DELETE('/api/v1/structures', {}),
  ];
}
