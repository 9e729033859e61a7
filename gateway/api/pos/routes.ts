import fastifyJwt from '@fastify/jwt';
import type { FastifyReply } from 'fastify';
import type { App, LimitRule, Services } from '../../http/api.ts';
import { callerOf } from './access.ts';
import { createSale } from './create-sale.ts';
import { idempotencyHeaders, once, type StoredReply } from './idempotency.ts';
import { readInventory } from './inventory.ts';
import { payByMobileMoney } from './pay.ts';
import { reportSales } from './report.ts';
import { credentials, failed, inventory, inventoryQuery, payment, paymentRequest, reportQuery, sale, saleRequest, salesReport, succeeded, tokenReply } from './schemas.ts';
import { issueToken, jwtOptions } from './tokens.ts';

/** Secrets cannot be guessed at this pace (gap pos.token-guard). */
const tokenGuard: LimitRule = { name: 'token-guard', windowMs: 60_000, max: () => 60, key: (request) => request.ip, counts: 'failed-logins' };

const publicRefusals = { 400: failed, 401: failed, 413: failed, 415: failed, 429: failed, 500: failed, 503: failed };
const refusals = { ...publicRefusals, 404: failed };

/** The operations of the document's section 4, under the address that `/api/v1` begins at. */
export function posRoutes(app: App, services: Services): void {
  const { store, clock, change } = services;
  app.register(fastifyJwt, jwtOptions(services.keys.derive('pos tokens')));

  for (const [url, operationId] of [
    ['/api/auth', 'issueToken'],
    ['/api/v1/auth', 'issueTokenV1'],
  ] as const) {
    app.route({
      method: 'POST',
      url,
      config: { public: true, limits: [tokenGuard] },
      schema: {
        operationId,
        tags: ['Authentication'],
        summary: 'Obtain an access token',
        description: 'Send it as `Authorization: Bearer` with every other call. After 60 failed attempts in a minute from one address, more are refused.',
        security: [],
        body: credentials,
        response: { 200: tokenReply, ...publicRefusals },
        ...gapsOf('pos.auth-path', 'pos.token-endpoints', 'pos.token-lifetime', 'pos.token-guard'),
      },
      handler: (request) => issueToken(store, app.jwt, request.body, clock.now()),
    });
  }

  app.route({
    method: 'POST',
    url: '/api/v1/sales',
    schema: {
      operationId: 'createSale',
      tags: ['Sales'],
      summary: 'Create a sale',
      description: 'Moves the stock at once. A mobile-money sale stays `pending` until its payments reach its total.',
      headers: idempotencyHeaders,
      body: saleRequest,
      response: { 201: succeeded(sale), ...refusals },
      ...gapsOf('pos.sale-fields-required', 'pos.sale-response', 'pos.sale-status', 'pos.stock-at-creation', 'pos.insufficient-stock', 'pos.strict-bodies'),
    },
    handler: async (request, reply) => {
      const stored = await change((step) =>
        once(step, request, { status: 201, data: sale }, () => createSale(step, callerOf(request), request.body)),
      );
      return send(reply, stored);
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/payment/mobile',
    schema: {
      operationId: 'payByMobileMoney',
      tags: ['Payments'],
      summary: 'Process a mobile-money payment',
      description: 'For a mobile-money sale that is pending; in parts if wanted. The sale completes when its total is reached.',
      headers: idempotencyHeaders,
      body: paymentRequest,
      response: { 201: succeeded(payment), ...refusals },
      ...gapsOf('pos.payment-fields-required', 'pos.payment-response', 'pos.payment-status', 'pos.partial-payments', 'pos.strict-bodies'),
    },
    handler: async (request, reply) => {
      const stored = await change((step) =>
        once(step, request, { status: 201, data: payment }, () => payByMobileMoney(step, callerOf(request), request.body)),
      );
      return send(reply, stored);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/inventory',
    schema: {
      operationId: 'readInventory',
      tags: ['Inventory'],
      summary: 'Current inventory of a store',
      querystring: inventoryQuery,
      response: { 200: succeeded(inventory), ...refusals },
      ...gapsOf('pos.inventory-response', 'pos.store-id-required', 'pos.strict-queries'),
    },
    handler: async (request) => ({ success: true as const, data: await readInventory(store, callerOf(request), request.query) }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/reports/sales',
    schema: {
      operationId: 'reportSales',
      tags: ['Reports'],
      summary: 'Detailed sales report of a store',
      description: 'Completed sales by their day of completion (UTC), both dates included: the last 30 days unless asked otherwise, at most 366.',
      querystring: reportQuery,
      response: { 200: succeeded(salesReport), ...refusals },
      ...gapsOf('pos.report-response', 'pos.report-sales', 'pos.store-id-required', 'pos.report-dates-required', 'pos.strict-queries'),
    },
    handler: async (request) => {
      const data = await store.transaction((rows) => reportSales(rows, callerOf(request), request.query, clock.now()));
      return { success: true as const, data };
    },
  });
}

/** Sends a reply whose text is fixed already: it must not be serialized anew. */
function send(reply: { code(status: 201): unknown }, stored: StoredReply): never {
  const plain = reply as unknown as FastifyReply;
  plain.code(stored.status).type('application/json; charset=utf-8');
  if (stored.replayed) plain.header('idempotency-replayed', 'true');
  return plain.send(stored.body) as never;
}

const gapsOf = (...ids: string[]) => ({ 'x-gap': ids });
