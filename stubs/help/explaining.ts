import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { Api } from '../../gateway/http/api.ts';
import type { StubApi } from '../credentials.ts';
import type { ChosenFault } from '../faults/index.ts';
import { helpOnFault } from './fault.ts';
import { type HelpParts, helpOn } from './help.ts';

/** Makes an API's refusals explain themselves, once it is known where the stub is (`use`). */
export function explaining<A extends StubApi>(name: A, on: boolean) {
  let parts: HelpParts<A> | undefined;
  const explained = (api: Api) => (refusal: Refusal, request: FastifyRequest) => {
    const body = api.errorBody(refusal, request);
    if (parts === undefined) return body;
    const help = helpOn(parts, refusal, api.status[refusal.kind], { method: request.method, url: request.originalUrl });
    return { ...(body as object), help };
  };
  return {
    adapt: (api: Api): Api => (on && api.name === name ? { ...api, errorBody: explained(api) } : api),
    /** The body of a reply that a fault made, with the member `help`. */
    faulted: (body: unknown, fault: ChosenFault): unknown =>
      on && parts ? { ...(body as object), help: helpOnFault(parts.url, fault) } : body,
    use(known: Omit<HelpParts<A>, 'api'>): void {
      parts = { api: name, ...known };
    },
  };
}
