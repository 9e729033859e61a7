import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Is, JsonMessage } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, isRecord, type JsonReply } from '../../../spec/json.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { gapsOf } from './file.ts';
import { choice, type Finding, finding, not, nothing, type Recogniser, type Said, type Way } from './finding.ts';
import { exampleOf, fieldsIn, isAround, list, type Names, namesIn, namesInReply, type Seen } from './names.ts';
import { payloadIn, type SeenWebhook } from './webhooks/webhook.ts';

/**
 * Findings from the status and fields of a reply or webhook. For an alternative, its `is` changes an example of our choice, and
 * the result is compared.
 */

/** The names under an alternative, and the names that differ from those of our choice. */
interface Candidate {
  gap: string;
  way: Way;
  names: Names;
  changed: Names;
}

const unionOf = (all: readonly Names[]): Names => all.reduce((union, names) => union.union(names), new Set<string>());

/** Compares what was seen with the names of our choice, and with those of each alternative that has others. */
function compare(api: ServiceName, what: string, seen: Seen, namesUnder: (parts: readonly Is[]) => Names): Finding[] {
  const ours = namesUnder([]);
  const candidates = gapsOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.flatMap(({ id: way, is = [] }): Candidate[] => {
      const names = namesUnder([is].flat());
      const changed = names.symmetricDifference(ours);
      return changed.size > 0 ? [{ gap, way, names, changed }] : [];
    }),
  );
  const byGap = Map.groupBy(candidates, ({ gap }) => gap);
  const judged = (gap: string, isUnclear: (another: string) => boolean) => {
    const unclear = candidates.filter((one) => one.gap !== gap && isUnclear(one.gap)).map(({ changed }) => changed);
    const own = byGap.get(gap) ?? [];
    const telling = [...unionOf(own.map(({ changed }) => changed)).difference(unionOf(unclear))].filter(
      (name) => seen.names.has(name) || !seen.unknown.some((one) => name.startsWith(one)),
    );
    return telling.length === 0 ? undefined : { ...judge(seen.names, ours, own, telling), telling };
  };
  // Alternatives of several entries may change the same names. Such a name says something about one entry only if the service
  // makes our choice in the other entries.
  const alone = new Map([...byGap.keys()].map((gap) => [gap, judged(gap, () => true)]));
  return [...byGap.keys()].flatMap((gap) => {
    const one = judged(gap, (another) => alone.get(another)?.isChoice !== true);
    return one ? finding(gap, one.said, becauseOf(what, seen.names, ours, one.telling)) : nothing;
  });
}

/** The alternative whose names the register does not state. */
const openNames = 'other-names';

/** Says which ways explain what was seen. `telling`: the names that decided. */
function judge(
  seen: Names,
  ours: Names,
  candidates: readonly Candidate[],
  telling: readonly string[],
): { isChoice: boolean; said: Said } {
  const named = unionOf([ours, ...candidates.flatMap(({ way, names }) => (way === openNames ? [] : [names]))]);
  const further = fieldsIn(seen.difference(named));
  const lacking = telling.filter((name) => ours.has(name) && !seen.has(name));
  const hasNoneOf = (names: Names) => fieldsIn(names).length > 0 && fieldsIn(names.intersection(seen)).length === 0;
  const fitOf = ({ way, names, changed }: Candidate): 'fits' | 'may-fit' | 'differs' => {
    const lackingFields = fieldsIn(lacking).length;
    if (way === openNames) {
      const isNamedOtherwise = lackingFields > 0 && further.length >= (hasNoneOf(ours) ? 2 : lackingFields);
      return isNamedOtherwise && seen.has(list) === ours.has(list) ? 'fits' : 'differs';
    }
    const isAroundOnly = [...changed].every(isAround);
    const own = isAroundOnly ? telling.filter(isAround) : telling;
    if (!own.some((name) => changed.has(name))) return 'may-fit';
    const added = own.filter((name) => names.has(name) && !ours.has(name));
    const hasAdded = added.some((name) => seen.has(name));
    const isLike = own.every((name) => !ours.has(name) || names.has(name) === seen.has(name));
    if (!isLike) return hasAdded ? 'may-fit' : 'differs';
    if (hasAdded) return 'fits';
    if (added.length > 0 || (!isAroundOnly && hasNoneOf(names))) return 'differs';
    // Further fields are always allowed. They may be those of our choice under other names.
    return further.length > 0 && lackingFields > 0 ? 'may-fit' : 'fits';
  };
  const { fits = [], 'may-fit': unclear = [], differs = [] } = Object.groupBy(candidates, fitOf);
  const others = differs.map(({ way }) => way);
  const isChoice = lacking.length === 0 && fits.length === 0;
  if (isChoice) return { isChoice, said: not(...others) };
  const [only] = fits.length === 1 && unclear.length === 0 ? fits : [];
  return { isChoice, said: only?.way ?? not(choice, ...others) };
}

const mostNamed = 3;

function becauseOf(what: string, seen: Names, ours: Names, telling: readonly string[]): string {
  const named = (verb: string, names: Names) => {
    const all = [...names.intersection(new Set(telling))].map((name) =>
      name === list ? 'a list' : name.replace(/^\((.*)\)$|^\[\]\./, '$1'),
    );
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    return all.length === 0 ? [] : [`${verb} ${all.slice(0, mostNamed).join(', ')}${more}`];
  };
  const parts = [...named('lacks', ours.difference(seen)), ...named('has', seen.difference(ours))];
  return parts.length === 0 ? `${what} has the fields of our choice` : `${what} ${parts.join(', and ')}`;
}

/** Statuses of the APIs themselves. Proxies and frameworks answer others, often with bodies of their own. */
const ownErrors = [400, 401, 403, 404, 405, 409, 422];

export const shapesOf =
  (api: ServiceName): Recogniser =>
  (call) => {
    const operation = call.servedBy(api)?.operation;
    const { body, status } = call.reply;
    const isEmpty = body !== undefined && !Array.isArray(body) && Object.keys(fieldsOf(body)).length === 0;
    if (operation === undefined || isEmpty) return nothing;
    const [shown = '', content] =
      Object.entries(operation.responses).find(([one]) => one[0] === (call.isSuccess ? '2' : '4')) ?? [];
    const example: JsonReply = { status: Number(shown), headers: {}, body: exampleOf(jsonSchema(content)) };
    const under = (parts: readonly Is[]) => parts.reduce((reply, part) => part.reply?.(reply, call.asked) ?? reply, example);
    if (!call.isSuccess) {
      if (!ownErrors.includes(status) || !isRecord(body)) return nothing;
      const namesUnder = (parts: readonly Is[]) => namesIn(under(parts.filter(({ at }) => at === 'errors')).body).names;
      return compare(api, 'an error', namesIn(body), namesUnder);
    }
    const { names, unknown } = namesInReply(call.reply);
    // A field that the client did not send need not be in the reply.
    const sendable = call.method === 'POST' ? Object.keys(jsonSchema(operation.requestBody)?.properties ?? {}) : [];
    const seen = { names, unknown: [...unknown, ...sendable.filter((name) => !(name in call.sent))] };
    return compare(api, 'a reply', seen, (parts) => namesInReply(under(parts.filter(({ at }) => at !== 'outcome'))).names);
  };

export const payloadShapesOf =
  (api: ServiceName): Recogniser<SeenWebhook> =>
  ({ event = '', payload }) => {
    const example: JsonMessage = { event, metadata: {}, body: exampleOf(jsonSchema(eventsOf(api)[event]?.requestBody)) };
    return compare(api, 'a payload', namesIn(payload), (parts) => {
      const inside = parts.filter(({ at }) => at !== 'envelope');
      const { body } = inside.reduce((message, part) => part.message?.(message) ?? message, example);
      return namesIn(payloadIn(body, event)).names;
    });
  };
