import type { ServiceName } from '../../../spec/documents/services.ts';
import { gapsOf } from '../../../spec/gaps/gaps.ts';
import type { Is } from '../../../spec/gaps/is/is.ts';
import { firstOf } from '../reports/plain.ts';
import type { Finding } from './finding.ts';
import type { Traits } from './traits.ts';

export const alternativesOf = (api: ServiceName) =>
  gapsOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.flatMap(({ id: way, is }) => (is ? [{ gap, way, parts: [is].flat() }] : [])),
  );

/** The record of a field, or the field of a value: `items[].` of `items[].price`, and `status: ` of `status: 201`. */
const placeOf = (trait: string): string => /^.*?: |^.*\.|^/s.exec(trait)?.[0] ?? '';
const placesOf = (traits: Traits) => new Set([...traits].map(placeOf));
const unionOf = (all: readonly Traits[]): Traits => all.reduce((union, traits) => union.union(traits), new Set<string>());

/**
 * Says for which entries what was seen is as we chose, or as under one alternative. `what`: such as `a reply`. `under`: the traits
 * of an example of our document as the parts of an alternative change it.
 */
export function compare(api: ServiceName, what: string, real: Traits, under: (parts: readonly Is[]) => Traits): Finding[] {
  const own = under([]);
  const choice = { way: 'choice', traits: own, changed: new Set<string>() };
  const candidates = alternativesOf(api).flatMap(({ gap, way, parts }) => {
    const traits = under(parts);
    const shared = placesOf(traits).intersection(placesOf(own));
    const changed = [...traits.symmetricDifference(own)].filter((one) => !one.includes(': ') || shared.has(placeOf(one)));
    return changed.length === 0 ? [] : [{ gap, way, traits, changed: new Set(changed) }];
  });
  const places = placesOf(real);
  const known = unionOf([own, ...candidates.map(({ traits }) => traits)]);
  const isShaped = [...real.intersection(known)].some((one) => !/^\(|: /.test(one));
  // A field that nobody explains may be one of ours under another name.
  const renamed = placesOf(real.difference(known));
  return [...Map.groupBy(candidates, ({ gap }) => gap)].flatMap(([gap, ways]): Finding[] => {
    const changedElsewhere = unionOf(candidates.filter((one) => one.gap !== gap).map(({ changed }) => changed));
    const changed = unionOf(ways.map((one) => one.changed)).difference(changedElsewhere);
    const telling = new Set([...changed].filter((one) => places.has(placeOf(one))));
    const differing = ways.filter((one) => !one.changed.isDisjointFrom(telling));
    const farFrom = ({ traits }: { traits: Traits }) => [...telling].filter((one) => traits.has(one) !== real.has(one)).length;
    const [nearest, next] = [choice, ...differing].toSorted((one, other) => farFrom(one) - farFrom(other));
    if (!nearest || !next || farFrom(nearest) === farFrom(next)) return [];
    const because = `${what} ${becauseOf(real, own, telling)}`;
    if (nearest === choice) return farFrom(choice) === 0 ? [{ gap, excludes: differing.map(({ way }) => way), because }] : [];
    const changes = nearest.changed.intersection(telling);
    const added = changes.intersection(nearest.traits);
    const removed = changes.difference(nearest.traits);
    const isSeen = added.size > 0 ? !added.isDisjointFrom(real) : isShaped && placesOf(removed).isDisjointFrom(renamed);
    return isSeen && removed.isDisjointFrom(real) ? [{ gap, shows: nearest.way, because }] : [];
  });
}

const mostNamed = 3;

/** Has no name that only the service has, and no text: an alternative may repeat one of the request. */
function becauseOf(real: Traits, own: Traits, telling: Traits): string {
  const named = (verb: string, traits: Traits) => {
    const all = [...new Set([...telling.intersection(traits)].map(wordsOf))];
    return all.length === 0 ? [] : [`${verb} ${firstOf(all, mostNamed)}`];
  };
  const lacking = [...own.difference(real)].filter((one) => !one.startsWith('text of '));
  const parts = [...named('lacks', new Set(lacking)), ...named('has', real.difference(own))];
  return parts.length === 0 ? 'is like ours' : parts.join(', and ');
}

function wordsOf(trait: string): string {
  const [, text] = /^text of (?:\[\]\.)?(.*?): /s.exec(trait) ?? [];
  if (text !== undefined) return `other words or digits in ${text}`;
  return trait === '[]' ? 'a list' : trait.replace(/^\((.*)\)$|^\[\]\./, '$1').replace(': ', ' ');
}
