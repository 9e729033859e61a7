import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceName } from '../contracts/documents/services.ts';
import { findOperation, openApi } from '../contracts/openapi/operations.ts';
import { Refusal } from '../gateway/base/errors.ts';
import type { Api } from '../gateway/http/api.ts';
import type { ChosenFault } from './faults/applied.ts';
import { examplesOf } from './faults/examples.ts';
import type { Faults } from './faults/faults.ts';
import { installFaults } from './faults/install.ts';
import { keepUnreadBodies } from './journal/sink.ts';

/** Returns true for calls of the stub's own routes and of the manage API: they never fail and are not in the journal. */
export const isOwnCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.recorded === false || /^\/(manage\/v1|_stub|docs)(\/|\?|$)/.test(request.url);

export interface CallHooks {
  /** The API without the explanations that a stub adds to its refusals. */
  api: Api;
  faults: Faults;
  /** Adds to a reply's body which fault made it. */
  explainFault(body: unknown, fault: ChosenFault): unknown;
}

/** Applies the faults to every call of the API, and reads the bodies that the journal shows. */
export function installCallHooks(app: FastifyInstance, { api, faults, explainFault }: CallHooks): void {
  const name = api.name as ServiceName;
  keepUnreadBodies(app, isOwnCall);
  installFaults(app, faults, {
    skip: isOwnCall,
    operationOf: (method, path) => findOperation(name, method, path)?.operation.operationId,
    exampleOf: examplesOf(openApi[name]),
    errorBody(_status, { code, message }, fault) {
      const body = api.errorBody(new Refusal('internal', code, message), {} as FastifyRequest);
      return fault ? explainFault(body, fault) : body;
    },
  });
}
