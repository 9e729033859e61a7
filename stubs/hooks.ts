import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOperation, openApi } from '../contracts/operations.ts';
import { Refusal } from '../gateway/errors.ts';
import type { Api } from '../gateway/http/api.ts';
import type { StubApi } from './credentials.ts';
import { examplesOf, type Faults, installFaults } from './faults/index.ts';
import { installJournal, type Journal } from './journal/index.ts';

/** Calls of the stub itself and of the manage API are no partner's: they are not in the journal, and do not fail. */
const isOwn = (request: FastifyRequest) =>
  request.routeOptions.config?.recorded === false || /^\/(manage\/v1|_stub|docs)(\/|\?|$)/.test(request.url);

/** The journal and the faults, on every call of the API. */
export function installCallHooks(app: FastifyInstance, { api, journal, faults }: { api: Api; journal: Journal; faults: Faults }) {
  const name = api.name as StubApi;
  const operationOf = (method: string, path: string) => findOperation(name, method, path)?.operation.operationId;
  installJournal(app, journal, { skip: isOwn });
  installFaults(app, faults, {
    skip: isOwn,
    operationOf,
    exampleOf: examplesOf(openApi[name]),
    errorBody: (_status, { code, message }) => api.errorBody(new Refusal('internal', code, message), {} as FastifyRequest),
  });
}
