import type { ChosenFault } from '../faults/index.ts';
import type { FaultHelp, Help } from './help.ts';

/** Says of a reply that a fault made: which one, and how to be rid of it. */
export function helpOnFault(url: string, { source, rule }: Pick<ChosenFault, 'source' | 'rule'>): Help {
  if (rule === undefined) {
    return { hint: 'This request asked for the reply itself: leave its header Prefer out.', fault: { source } };
  }
  const fault: FaultHelp = { source, rule: rule.id, remove: `curl -X DELETE '${url}/_stub/faults/${rule.id}'` };
  const away = `\`remove\` takes it away, as stub.faults.remove('${rule.id}') does in a program.`;
  const again = rule.fromStart ? ' It was there from the start (--fault), so that a reset brings it back.' : '';
  return { hint: `The fault rule ${rule.id} made this reply, not the API. ${away}${again}`, fault };
}
