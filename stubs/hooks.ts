import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Webhooks } from '../gateway/webhooks/webhooks.ts';
import type { StubMobileMoney } from './payments/mobile-money.ts';

/** Returns true for calls of the stub's own routes, of the manage API and of the profile: they never fail and are not in the journal. */
export const isOwnCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.recorded === false || hasOwnPath(request);

/** The same for a call that is recorded. The look at its route is saved. */
export const hasOwnPath = ({ url }: FastifyRequest): boolean => /^\/(manage\/v1|profile\/v1|_stub|docs)(\/|\?|$)/.test(url);

/** Holds back the replies to those payments whose webhooks come before, until these have been tried. */
export function sendWebhooksFirst(
  app: FastifyInstance,
  payments: Pick<StubMobileMoney, 'fateOfWebhooks'>,
  webhooks: Pick<Webhooks, 'settled'>,
): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (payments.fateOfWebhooks(request.id) !== 'early') return done(null, payload);
    void webhooks.settled().then(() => done(null, payload), done);
  });
}
