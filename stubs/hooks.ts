import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOperation, openApi } from '../contracts/openapi/operations.ts';
import { Refusal } from '../gateway/base/errors.ts';
import type { Api } from '../gateway/http/api.ts';
import type { StubApi } from './credentials.ts';
import { type ChosenFault, examplesOf, type Faults, installFaults } from './faults/index.ts';
import { installJournal, type Journal } from './journal/index.ts';

/** Calls of the stub itself and of the manage API are no partner's: they are not in the journal, and do not fail. */
const isOwn = (request: FastifyRequest) =>
  request.routeOptions.config?.recorded === false || /^\/(manage\/v1|_stub|docs)(\/|\?|$)/.test(request.url);

export interface CallHooks {
  api: Api;
  journal: Journal;
  faults: Faults;
  /** Adds to the body of a reply that a fault made which one it was. */
  faulted(body: unknown, fault: ChosenFault): unknown;
}

/** The journal and the faults, on every call of the API. */
export function installCallHooks(app: FastifyInstance, { api, journal, faults, faulted }: CallHooks): void {
  const name = api.name as StubApi;
  const operationOf = (method: string, path: string) => findOperation(name, method, path)?.operation.operationId;
  installJournal(app, journal, { skip: isOwn });
  installFaults(app, faults, {
    skip: isOwn,
    operationOf,
    exampleOf: examplesOf(openApi[name]),
    errorBody(_status, { code, message }, by) {
      const body = api.errorBody(new Refusal('internal', code, message), {} as FastifyRequest);
      return by ? faulted(body, by) : body;
    },
  });
}
