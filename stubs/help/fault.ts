import type { ChosenFault } from '../faults/applied.ts';
import type { FaultHelp, Help } from './help.ts';

/** Explains a reply that a fault caused: which fault it was and how to remove it. */
export function helpOnFault(url: string, { source, rule }: Pick<ChosenFault, 'source' | 'rule'>): Help {
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
