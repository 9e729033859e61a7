import { z } from 'zod';
import { restock, synchronize } from '../../api/pos/back-office/counting.ts';
import { createStore, putProduct, readStore } from '../../api/pos/back-office/stores.ts';
import { inventoryOf } from '../../api/pos/calls/inventory.ts';
import { stockItem } from '../../api/pos/schemas.ts';
import { saleViews, stockView } from '../../api/pos/views.ts';
import type { App, Services } from '../../http/api.ts';
import { page, pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import {
  arrival,
  count,
  idPath,
  listQuery,
  managedSale,
  newProduct,
  newStore,
  salesQuery,
  store as storeShape,
  storeView,
  storeWithStock,
} from './shapes.ts';

const tags = ['Point of sale: stores'];

/** Stores, their stock and their sales. */
export function storeRoutes(app: App, { store, change }: Services): void {
  const route = routesOf(app, tags);
  route('POST /pos/stores', {
    operationId: 'createStore',
    summary: 'Create a store',
    body: newStore,
    created: storeShape,
    handler: async (request) => storeView(await change((step) => createStore(step, request.body))),
  });
  route('GET /pos/stores', {
    operationId: 'listStores',
    summary: 'Stores, in order of id',
    querystring: z.strictObject(listQuery),
    reply: pageOf(storeShape),
    handler: async ({ query: { limit, cursor } }) => {
      const rows = await store.list('stores', {
        where: cursor ? { id: { gt: cursor } } : {},
        order: [['id', 'asc']],
        limit: limit + 1,
      });
      const { data, next } = page(rows, limit);
      return { data: data.map(storeView), next };
    },
  });

  route('GET /pos/stores/:id', {
    operationId: 'readStore',
    summary: 'One store with its stock',
    params: idPath,
    data: storeWithStock,
    handler: async (request) => {
      const found = await readStore(store, request.params.id);
      return { ...storeView(found), stock: (await inventoryOf(store, found)).items };
    },
  });
  salesRoute(app, { store });
}

function salesRoute(app: App, { store }: Pick<Services, 'store'>): void {
  const route = routesOf(app, ['Point of sale: sales']);
  route('GET /pos/sales', {
    operationId: 'listSales',
    summary: 'Sales, newest first',
    querystring: salesQuery,
    reply: pageOf(managedSale),
    handler: async ({ query }) => {
      const { data, next } = await readPage(store, 'sales', query, (sale) => sale);
      const views = await saleViews(store, data);
      return { data: views.map((view, at) => ({ ...view, account_id: data[at]?.account_id ?? '' })), next };
    },
  });
}

export function stockRoutes(app: App, { change }: Services): void {
  const route = routesOf(app, tags);
  route('POST /pos/stores/:id/products', {
    operationId: 'putProduct',
    summary: 'Add a product to a store, or replace it',
    params: idPath,
    body: newProduct,
    data: stockItem,
    handler: async ({ params, body }) => stockView(await change((step) => putProduct(step, params.id, body))),
  });

  route('POST /pos/stores/:id/restock', {
    operationId: 'restockStore',
    summary: 'Restock a store',
    params: idPath,
    body: arrival,
    data: z.object({ store_id: z.string(), items: z.array(stockItem).describe('The changed products.') }),
    handler: async ({ params, body }) => {
      const changed = await change((step) => restock(step, params.id, body.items));
      return { store_id: params.id, items: changed.map(stockView) };
    },
  });
  route('POST /pos/stores/:id/sync', {
    operationId: 'synchronizeStore',
    summary: 'Synchronize a store with a count',
    description:
      'The counted quantities replace the stored ones. Sends `sync.completed`, and `inventory.low` for each product that fell to its threshold.',
    params: idPath,
    body: count,
    data: storeShape.extend({
      products: z.int().describe('Number of products of the store.'),
      changed: z.int().describe('Number of products whose quantity was corrected.'),
    }),
    handler: async ({ params, body }) => {
      const { store, ...counts } = await change((step) => synchronize(step, params.id, body.items));
      return { ...storeView(store), ...counts };
    },
  });
}
