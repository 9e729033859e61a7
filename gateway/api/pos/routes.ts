import type { FastifyReply } from 'fastify';
import type { GapId } from '../../../spec/gaps/gaps.ts';
import type { App, LimitRule, Services } from '../../http/api.ts';
import { addressKey } from '../../http/limit/address-key.ts';
import type { ReplyHeader } from '../../http/reply-headers.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import { createSale, untilReferenceIsFree } from './calls/create-sale.ts';
import { readInventory } from './calls/inventory.ts';
import { issueToken } from './calls/issue-token.ts';
import { payByMobileMoney } from './calls/pay.ts';
import { reportSales } from './calls/report.ts';
import { idempotencyHeaders, once, replayedHeaders, type StoredReply } from './domain/idempotency.ts';
import type { MobileMoney } from './domain/mobile-money.ts';
import { registerTokens } from './domain/tokens.ts';
import { publicRefusals, refusals } from './errors.ts';
import { callerOf } from './identity.ts';
import {
  anyPayment,
  credentials,
  inventory,
  inventoryQuery,
  payment,
  paymentRequest,
  reportQuery,
  sale,
  saleRequest,
  salesReport,
  succeeded,
  tokenReply,
} from './schemas.ts';

/** Limits failed logins by address. At this rate secrets cannot be guessed (gap pos.token-guard). */
const tokenGuard: LimitRule = {
  name: 'token-guard',
  windowMs: 60_000,
  max: 60,
  per: 'address',
  key: addressKey,
  when: 'before-identity',
  counts: 'failed-logins',
};

const idempotentReply: Readonly<Record<string, ReplyHeader>> = {
  'Idempotency-Replayed': {
    description: 'The reply of the first request with this Idempotency-Key, given again.',
    schema: { type: 'string', const: replayedHeaders['idempotency-replayed'] },
  },
};

/** The operations of the document's section 4. */
export function posRoutes(app: App, services: Services, mobileMoney: MobileMoney): void {
  registerTokens(app, services.keys);
  tokenRoutes(app, services);
  saleRoute(app, services);
  paymentRoute(app, services, mobileMoney);
  inventoryRoute(app, services);
  reportRoute(app, services);
}

function tokenRoutes(app: App, { store, clock }: Services): void {
  for (const [url, operationId, summary] of [
    ['/api/auth', 'issueToken', 'Obtain an access token'],
    ['/api/v1/auth', 'issueTokenV1', 'Obtain an access token, under the version'],
  ] as const) {
    app.route({
      method: 'POST',
      url,
      config: { public: true, limits: [tokenGuard] },
      schema: {
        operationId,
        tags: ['Authentication'],
        summary,
        description: `Send it as \`Authorization: Bearer\` with every other call. After ${tokenGuard.max} failed attempts in a minute from one address, further ones are refused.`,
        security: [],
        body: credentials,
        response: { 200: tokenReply.describe('The token is issued.'), ...publicRefusals },
        ...gapsOf(
          'pos.auth-path',
          'pos.token-endpoints',
          'pos.token-lifetime',
          'pos.token-format',
          'pos.new-token',
          'pos.token-guard',
        ),
      },
      handler: (request) => issueToken(store, app.jwt, request.body, clock.now()),
    });
  }
}

function saleRoute(app: App, { change }: Services): void {
  app.route({
    method: 'POST',
    url: '/api/v1/sales',
    config: { replyHeaders: idempotentReply },
    schema: {
      operationId: 'createSale',
      tags: ['Sales'],
      summary: 'Create a sale',
      description: 'Moves the stock at once. A mobile-money sale stays `pending` until its payments reach its total.',
      headers: idempotencyHeaders,
      body: saleRequest,
      response: { 201: succeeded(sale).describe('The sale as stored.'), ...refusals },
      ...gapsOf(
        'pos.sale-fields-required',
        'pos.sale-response',
        'pos.sale-status',
        'pos.stock-at-creation',
        'pos.insufficient-stock',
        'pos.payment-reference',
        'pos.repeated-post',
        'pos.strict-bodies',
        'pos.timestamps',
      ),
    },
    handler: async (request, reply) => {
      const create = (step: Change) =>
        once(step, request, { status: 201, data: sale }, () => createSale(step, callerOf(request), request.body));
      const stored = await untilReferenceIsFree(() => change(create, request.id));
      sendStored(reply as FastifyReply, stored);
      return reply;
    },
  });
}

function paymentRoute(app: App, { change }: Services, mobileMoney: MobileMoney): void {
  app.route({
    method: 'POST',
    url: '/api/v1/payment/mobile',
    config: { replyHeaders: idempotentReply },
    schema: {
      operationId: 'payByMobileMoney',
      tags: ['Payments'],
      summary: 'Process a mobile-money payment',
      description: 'Pays a pending mobile-money sale, in one or more parts. The sale completes when its total is reached.',
      headers: idempotencyHeaders,
      body: paymentRequest,
      response: { 201: succeeded(payment).describe('The payment, and the sale after it.'), ...refusals },
      ...gapsOf(
        'pos.payment-fields-required',
        'pos.payment-response',
        'pos.payment-status',
        'pos.partial-payments',
        'pos.sale-states',
        'pos.stock-at-creation',
        'pos.repeated-post',
        'pos.strict-bodies',
        'pos.timestamps',
      ),
    },
    handler: async (request, reply) => {
      const pay = (step: Change) =>
        once(step, request, { status: 201, data: anyPayment }, () =>
          payByMobileMoney(step, callerOf(request), request.body, mobileMoney),
        );
      const stored = await change(pay, request.id);
      sendStored(reply as FastifyReply, stored);
      return reply;
    },
  });
}

function inventoryRoute(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/api/v1/inventory',
    config: { readsStoreOnly: true },
    schema: {
      operationId: 'readInventory',
      tags: ['Inventory'],
      summary: 'Current inventory of a store',
      querystring: inventoryQuery,
      response: { 200: succeeded(inventory).describe('The current inventory of the store.'), ...refusals },
      ...gapsOf(
        'pos.inventory-response',
        'pos.stock-at-creation',
        'pos.insufficient-stock',
        'pos.sale-states',
        'pos.store-id-required',
        'pos.strict-queries',
        'pos.currency',
        'pos.timestamps',
      ),
    },
    handler: async (request) => ({
      success: true as const,
      data: await readInventory(store, callerOf(request), request.query),
    }),
  });
}

function reportRoute(app: App, { store, clock }: Services): void {
  app.route({
    method: 'GET',
    url: '/api/v1/reports/sales',
    schema: {
      operationId: 'reportSales',
      tags: ['Reports'],
      summary: 'Detailed sales report of a store',
      description:
        'Completed sales by their day of completion (UTC), both dates included. The default is the last 30 days, the maximum is 366 days.',
      querystring: reportQuery,
      response: { 200: succeeded(salesReport).describe('The completed sales of the period.'), ...refusals },
      ...gapsOf(
        'pos.report-response',
        'pos.report-sales',
        'pos.sale-states',
        'pos.store-id-required',
        'pos.report-dates-required',
        'pos.strict-queries',
        'pos.currency',
        'pos.payment-methods',
      ),
    },
    handler: async (request) => {
      const data = await store.transaction((rows) => reportSales(rows, callerOf(request), request.query, clock.now()));
      return { success: true as const, data };
    },
  });
}

/** Sends a reply as its stored text. Serializing it again could change a byte. */
function sendStored(reply: FastifyReply, stored: StoredReply): void {
  reply.code(stored.status).type('application/json; charset=utf-8');
  if (stored.replayed) reply.headers(replayedHeaders);
  reply.send(stored.body);
}

const gapsOf = (...ids: GapId[]) => ({ 'x-gap': ids });
