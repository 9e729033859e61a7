import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Detail, Refusal } from '../gateway/base/errors.ts';
import type { Api } from '../gateway/http/api.ts';
import type { Webhooks } from '../gateway/webhooks/webhooks.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { findOperation } from '../spec/openapi/operations.ts';
import type { Assumptions } from './assume/assumptions.ts';
import { installAssumptions } from './assume/calls.ts';
import type { ChosenFault } from './faults/applied.ts';
import type { Faults } from './faults/faults.ts';
import { installFaults } from './faults/install.ts';
import type { HelpFor } from './help/explaining.ts';
import { keepUnreadBodies } from './journal/sink.ts';
import type { StubMobileMoney } from './payments/mobile-money.ts';

/** Returns true for calls of the stub's own routes, of the manage API and of the profile: they never fail and are not in the journal. */
export const isOwnCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.recorded === false || hasOwnPath(request);

/** The same for a call that is recorded. The look at its route is saved. */
export const hasOwnPath = ({ url }: FastifyRequest): boolean => /^\/(manage\/v1|profile\/v1|_stub|docs)(\/|\?|$)/.test(url);

export interface CallHooks {
  /** The API without the explanations that a stub adds to its refusals. */
  api: Api;
  faults: Faults;
  /** The alternatives under which the stub answers. Default: none. */
  assumptions?: Assumptions | undefined;
  /** Adds to a reply's body which fault made it. */
  explainFault(body: unknown, fault: ChosenFault): unknown;
  /** Explains the refusals that only an alternative makes. Default: they have no member `help`. */
  helpFor?: HelpFor | undefined;
}

/** Applies the faults to every call of the API, and reads the bodies that the journal shows. */
export function installCallHooks(app: FastifyInstance, { api, faults, assumptions, explainFault, helpFor }: CallHooks): void {
  const name = api.name as ServiceName;
  const errorBody = (_status: number, { code, message, details = [] }: { code: string; message: string; details?: Detail[] }) =>
    api.errorBody(new Refusal('internal', code, message, { details }), {} as FastifyRequest);
  keepUnreadBodies(app, isOwnCall);
  // Before the faults, which break what would have been sent.
  if (assumptions) installAssumptions(app, assumptions, { api: name, skip: isOwnCall, errorBody, helpFor });
  installFaults(app, faults, {
    skip: isOwnCall,
    operationOf: (method, path) => findOperation(name, method, path)?.operation.operationId,
    invalidStatus: api.status.invalid,
    errorBody,
    explain: explainFault,
  });
}

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
