import type { FastifyRequest } from 'fastify';
import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { Api } from '../../gateway/http/api.ts';
import type { ChosenFault } from '../faults/applied.ts';
import { helpOnFault } from './fault.ts';
import { type HelpParts, helpOn } from './help.ts';

/** The API with a member `help` in the body of each refusal. `about` is called when a call is refused. */
export function explainRefusals(api: Api, about: () => HelpParts<ServiceName>): Api {
  const errorBody = (refusal: Refusal, request: FastifyRequest) => {
    const call = { method: request.method, url: request.originalUrl };
    return { ...(api.errorBody(refusal, request) as object), help: helpOn(about(), refusal, api.status[refusal.kind], call) };
  };
  return { ...api, errorBody };
}

/** Adds a member `help` to the body of a reply that a fault made. */
export const explainFaults =
  (about: () => HelpParts<ServiceName>) =>
  (body: unknown, fault: ChosenFault): unknown => ({ ...(body as object), help: helpOnFault(about().url, fault) });
