import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../gateway/base/errors.ts';
import type { Api } from '../../gateway/http/api.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { ChosenFault } from '../faults/applied.ts';
import type { FaultHelp, Help, HelpParts } from './help.ts';

/** The API with a member `help` in the body of each refusal. `about` is called when a call is refused. */
export function explainRefusals(api: Api, helpFor: HelpFor): Api {
  const errorBody = async (refusal: Refusal, request: FastifyRequest) => ({
    ...(api.errorBody(refusal, request) as object),
    help: await helpFor(refusal, api.status[refusal.kind], request),
  });
  return { ...api, errorBody };
}

export type HelpFor = (refusal: Refusal, status: number, request: FastifyRequest) => Promise<Help>;

/** The gap register is loaded by the first refusal. Under alternatives, the help says only what is true under them too. */
export const helpingWith =
  (about: () => HelpParts<ServiceName>, assumptions?: { readonly live: { trueHelp(help: Help): Help } | undefined }): HelpFor =>
  async (refusal, status, { method, originalUrl: url }) => {
    const { helpOn } = await import('./help.ts');
    const help = helpOn(about(), refusal, status, { method, url });
    return assumptions?.live?.trueHelp(help) ?? help;
  };

/** Adds a member `help` to the body of a reply that a fault made. */
export const explainFaults =
  (about: () => HelpParts<ServiceName>) =>
  (body: unknown, fault: ChosenFault): unknown => ({ ...(body as object), help: helpOnFault(about().url, fault) });

/** Explains a reply that a fault caused: which fault it was and how to remove it. */
function helpOnFault(url: string, { source, rule }: Pick<ChosenFault, 'source' | 'rule'>): Help {
  if (rule === undefined) {
    return {
      hint: 'The request asked for this reply with its Prefer header. Remove the header to get a real reply.',
      fault: { source },
    };
  }
  const fault: FaultHelp = { source, rule: rule.id, remove: `curl -X DELETE '${url}/_stub/faults/${rule.id}'` };
  const away = `Run the command under \`remove\`, or call stub.faults.remove('${rule.id}').`;
  const again = rule.fromStart ? ' A reset restores this rule, because it was given at the start (--fault).' : '';
  return { hint: `The fault rule ${rule.id} caused this reply, not the API. ${away}${again}`, fault };
}
