import type { ServiceName } from '../../../spec/documents/services.ts';
import { gapsOf } from '../../../spec/gaps/gaps.ts';
import type { Is } from '../../../spec/gaps/is/is.ts';
import { firstOf } from '../reports/plain.ts';
import { choice, type Finding, type IsExcluded, type Way } from './finding.ts';
import { fieldsIn, isAround, isValue, list, type Names, type Seen, unionOf } from './traits.ts';

export interface Comparison {
  /** What is compared, such as `a reply`. */
  what: string;
  seen: Seen;
  /** The traits of our examples under the parts of an alternative. */
  traitsUnder(parts: readonly Is[]): Names;
}

/** Most alternatives leave our examples as they are. Their traits are then the same set, which costs nothing. */
export function traitsUnder<One>(
  ours: readonly One[],
  change: (parts: readonly Is[], one: One) => One,
  traits: (one: One) => Names,
): Comparison['traitsUnder'] {
  const own = unionOf(ours.map(traits));
  return (parts) => {
    const changed = ours.map((one) => change(parts, one));
    return changed.every((one, at) => one === ours[at]) ? own : unionOf(changed.map(traits));
  };
}

export interface Alternative {
  gap: string;
  way: Way;
  parts: readonly Is[];
}

export const alternativesOf = (api: ServiceName): Alternative[] =>
  gapsOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.map(({ id: way, is = [] }) => ({ gap, way, parts: [is].flat() })),
  );

/** The traits under an alternative, and those that differ from ours. */
interface Candidate extends Omit<Alternative, 'parts'> {
  names: Names;
  changed: Names;
}

const slotOf = (name: string) => name.split(': ')[0] ?? '';
const slotsIn = (names: Names) => new Set([...names].filter(isValue).map(slotOf));

/** A value differs only if its field is in both. */
function differences(names: Names, ours: Names): Names {
  const slots = slotsIn(names).intersection(slotsIn(ours));
  return new Set([...names.symmetricDifference(ours)].filter((name) => !isValue(name) || slots.has(slotOf(name))));
}

/** Compares what was seen with the traits of our choice, and with those of each alternative that has others. */
export function compare(api: ServiceName, { what, seen, traitsUnder }: Comparison, isExcluded: IsExcluded): Finding[] {
  const ours = traitsUnder([]);
  const candidates = alternativesOf(api).flatMap(({ gap, way, parts }): Candidate[] => {
    const names = traitsUnder(parts);
    if (names === ours) return [];
    const changed = differences(names, ours);
    return changed.size > 0 ? [{ gap, way, names, changed }] : [];
  });
  const byGap = Map.groupBy(candidates, ({ gap }) => gap);
  const isTelling = (name: string) =>
    seen.names.has(name) || !(isValue(name) || seen.unknown.some((beginning) => name.startsWith(beginning)));
  const judged = (gap: string, isUnclear: (another: string) => boolean) => {
    const others = candidates.filter((one) => one.gap !== gap && isUnclear(one.gap) && !isExcluded(one.gap, one.way));
    const own = byGap.get(gap) ?? [];
    const changed = unionOf(own.map((one) => one.changed)).difference(unionOf(others.map((one) => one.changed)));
    const telling = [...changed].filter(isTelling);
    return telling.length === 0 ? undefined : { ...judge(seen.names, ours, own, telling), telling };
  };
  // Alternatives of several entries may change the same traits. Such a trait says something about one entry only if the service
  // makes our choice in the other entries.
  const alone = new Map([...byGap.keys()].map((gap) => [gap, judged(gap, () => true)]));
  return [...byGap.keys()].flatMap((gap) => {
    const one = judged(gap, (another) => alone.get(another)?.isChoice !== true);
    const isTold = one?.said.shows !== undefined || one?.said.excludes?.length;
    return one && isTold ? [{ gap, ...one.said, because: `${what} ${becauseOf(seen.names, ours, one.telling)}` }] : [];
  });
}

/** Says which ways explain what was seen. `telling`: the traits that decide. */
function judge(seen: Names, ours: Names, candidates: readonly Candidate[], telling: readonly string[]) {
  const isOther = ({ way }: Candidate) => way === 'other-names';
  const named = unionOf([ours, ...candidates.filter((one) => !isOther(one)).map(({ names }) => names)]);
  const further = fieldsIn(seen.difference(named)).length;
  const lacking = telling.filter((name) => ours.has(name) && !seen.has(name));
  const lackingFields = fieldsIn(lacking).length;
  const hasNoneOf = (names: Names) => fieldsIn(names).length > 0 && fieldsIn(names.intersection(seen)).length === 0;
  const fitOf = (one: Candidate): 'fits' | 'may-fit' | 'differs' => {
    const { names, changed } = one;
    // The register does not state the other names.
    const isNamedOtherwise = lackingFields > 0 && further >= (hasNoneOf(ours) ? 2 : lackingFields);
    if (isOther(one)) return isNamedOtherwise && seen.has(list) === ours.has(list) ? 'fits' : 'differs';
    if (telling.some((name) => isAround(name) && names.has(name) !== seen.has(name))) return 'differs';
    const own = telling.filter((name) => changed.has(name));
    if (own.length === 0) return 'may-fit';
    const [fields, added] = [own.filter((name) => !isAround(name)), own.filter((name) => names.has(name))];
    const isLike = fields.every((name) => names.has(name) || !seen.has(name));
    if (!isLike || (added.length > 0 && !added.some((name) => seen.has(name)))) return 'differs';
    if (added.length > 0) return 'fits';
    if (fields.length === 0) return 'fits';
    if (hasNoneOf(names)) return 'differs';
    // Further fields are always allowed. They may be those of our choice under other names.
    return further > 0 && lackingFields > 0 ? 'may-fit' : 'fits';
  };
  const { fits = [], 'may-fit': unclear = [], differs = [] } = Object.groupBy(candidates, fitOf);
  const others = differs.map(({ way }) => way);
  const isChoice = lacking.length === 0 && fits.length === 0;
  const [only] = fits.length === 1 && unclear.length === 0 ? fits : [];
  const excludes = isChoice ? others : [choice, ...others];
  const said: Pick<Finding, 'shows' | 'excludes'> = only ? { shows: only.way } : { excludes };
  return { isChoice, said };
}

const mostNamed = 3;

/** Names only traits of the register and of our document, so no name and no value that only the service has. */
function becauseOf(seen: Names, ours: Names, telling: readonly string[]): string {
  const named = (verb: string, names: Names) => {
    const all = [...new Set(telling.filter((name) => names.has(name)).map(wordsOf))];
    return all.length === 0 ? [] : [`${verb} ${firstOf(all, mostNamed)}`];
  };
  const parts = [...named('lacks', ours.difference(seen)), ...named('has', seen.difference(ours))];
  return parts.length === 0 ? 'is like ours' : parts.join(', and ');
}

function wordsOf(name: string): string {
  if (name === list) return 'a list';
  return isValue(name) ? `other words or digits in ${slotOf(name).slice(1)}` : name.replace(/^\((.*)\)$|^\[\]\./, '$1');
}
