import type { CpuProfile } from './flame-graph.ts';

/** The room of our code or the package that a frame belongs to; undefined for Node's own frames and those of V8. */
function placeOf({ url }: CpuProfile['nodes'][number]['callFrame']): string | undefined {
  const [, scoped] = /node_modules\/(?!node\/)((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(url) ?? [];
  if (scoped !== undefined) return scoped;
  const [, room] = /\/((?:gateway|bench|stubs)\/.*)\/[^/]+$/.exec(url) ?? [];
  return room;
}

/**
 * Returns the CPU time of a profile by place, in microseconds, the largest first. Node's frames count for the nearest caller
 * that has a place. What no code of ours or of a package called, such as reading a socket, keeps its own name.
 */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): [place: string, us: number][] {
  const places = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const name = (id: number, caller: string | undefined) => {
    const node = byId.get(id);
    if (!node) return;
    const { callFrame, children = [] } = node;
    const place = placeOf(callFrame) ?? caller;
    const isOfV8 = /^\((garbage collector|idle|program|root)\)$/.test(callFrame.functionName);
    const own = `Node: ${callFrame.functionName || 'anonymous'} ${callFrame.url.replace(/^node:/, '')}`;
    places.set(id, isOfV8 ? callFrame.functionName : (place ?? own));
    for (const child of children) name(child, place);
  };
  name(nodes[0]?.id ?? 0, undefined);
  const shares = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? 'unknown';
    if (place !== '(idle)') shares.set(place, (shares.get(place) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  }
  return [...shares].sort(([, a], [, b]) => b - a);
}

/** Returns lines with the microseconds of each place for each call or delivery. Places below `leastUs` are one line. */
export function shareLines(profile: CpuProfile, count: number, leastUs = 0.5): string[] {
  const each = sharesOf(profile).map(([place, us]) => [place, us / count] as const);
  const shown = each.filter(([, us]) => us >= leastUs);
  const rest = each.slice(shown.length).reduce((sum, [, us]) => sum + us, 0);
  const total = each.reduce((sum, [, us]) => sum + us, 0);
  return [
    `${total.toFixed(1)} us in all`,
    ...shown.map(([place, us]) => `${us.toFixed(1)} us ${place}`),
    `${rest.toFixed(1)} us in ${each.length - shown.length} places below ${leastUs} us each`,
  ];
}
