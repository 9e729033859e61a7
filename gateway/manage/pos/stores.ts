import { z } from 'zod';
import { restock, synchronize } from '../../api/pos/back-office/counting.ts';
import { createStore, putProduct, readStore } from '../../api/pos/back-office/stores.ts';
import { inventoryOf } from '../../api/pos/calls/inventory.ts';
import { stockItem } from '../../api/pos/schemas.ts';
import { saleViews, stockView } from '../../api/pos/views.ts';
import type { App, Services } from '../../http/api.ts';
import { page, pageOf, readPage } from '../../http/page.ts';
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
  app.route({
    method: 'POST',
    url: '/pos/stores',
    schema: {
      operationId: 'createStore',
      tags,
      summary: 'Create a store',
      body: newStore,
      response: { 201: z.object({ data: storeShape }) },
    },
    handler: async (request, reply) => {
      const made = await change((step) => createStore(step, request.body));
      return reply.code(201).send({ data: storeView(made) });
    },
  });
  readingRoutes(app, { store });
  salesRoute(app, { store });
}

function readingRoutes(app: App, { store }: Pick<Services, 'store'>): void {
  app.route({
    method: 'GET',
    url: '/pos/stores',
    schema: {
      operationId: 'listStores',
      tags,
      summary: 'Stores, in order of id',
      querystring: z.strictObject(listQuery),
      response: { 200: pageOf(storeShape) },
    },
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

  app.route({
    method: 'GET',
    url: '/pos/stores/:id',
    schema: {
      operationId: 'readStore',
      tags,
      summary: 'One store with its stock',
      params: idPath,
      response: { 200: z.object({ data: storeWithStock }) },
    },
    handler: async (request) => {
      const found = await readStore(store, request.params.id);
      return { data: { ...storeView(found), stock: (await inventoryOf(store, found)).items } };
    },
  });
}

function salesRoute(app: App, { store }: Pick<Services, 'store'>): void {
  app.route({
    method: 'GET',
    url: '/pos/sales',
    schema: {
      operationId: 'listSales',
      tags: ['Point of sale: sales'],
      summary: 'Sales, newest first',
      querystring: salesQuery,
      response: { 200: pageOf(managedSale) },
    },
    handler: async ({ query }) => {
      const { data, next } = await readPage(store, 'sales', query, (sale) => sale);
      const views = await saleViews(store, data);
      return { data: views.map((view, at) => ({ ...view, account_id: data[at]?.account_id ?? '' })), next };
    },
  });
}

/** Changes of a store's stock other than sales. */
export function stockRoutes(app: App, { change }: Services): void {
  app.route({
    method: 'POST',
    url: '/pos/stores/:id/products',
    schema: {
      operationId: 'putProduct',
      tags,
      summary: 'Add a product to a store, or replace it',
      params: idPath,
      body: newProduct,
      response: { 200: z.object({ data: stockItem }) },
    },
    handler: async ({ params, body }) => ({ data: stockView(await change((step) => putProduct(step, params.id, body))) }),
  });

  app.route({
    method: 'POST',
    url: '/pos/stores/:id/restock',
    schema: {
      operationId: 'restockStore',
      tags,
      summary: 'Restock a store',
      params: idPath,
      body: arrival,
      response: {
        200: z.object({
          data: z.object({ store_id: z.string(), items: z.array(stockItem).describe('The changed products.') }),
        }),
      },
    },
    handler: async ({ params, body }) => {
      const changed = await change((step) => restock(step, params.id, body.items));
      return { data: { store_id: params.id, items: changed.map(stockView) } };
    },
  });
  countRoute(app, { change });
}

function countRoute(app: App, { change }: Pick<Services, 'change'>): void {
  app.route({
    method: 'POST',
    url: '/pos/stores/:id/sync',
    schema: {
      operationId: 'synchronizeStore',
      tags,
      summary: 'Synchronize a store with a count',
      description:
        'The counted quantities replace the stored ones. Sends `sync.completed`, and `inventory.low` for each product that fell to its threshold.',
      params: idPath,
      body: count,
      response: {
        200: z.object({
          data: storeShape.extend({
            products: z.number().int().describe('Number of products of the store.'),
            changed: z.number().int().describe('Number of products whose quantity was corrected.'),
          }),
        }),
      },
    },
    handler: async ({ params, body }) => {
      const { store, ...counts } = await change((step) => synchronize(step, params.id, body.items));
      return { data: { ...storeView(store), ...counts } };
    },
  });
}
