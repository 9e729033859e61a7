import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The parts of V8's `.cpuprofile` that are drawn. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  /** The running node at each sample. */
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

interface Frame {
  name: string;
  us: number;
  children: Map<string, Frame>;
}

const [width, row] = [1600, 17];
/** Narrower frames are left out. Their time stays in the frame below. */
const leastPixels = 0.4;

/** Draws a profile as an SVG file that needs nothing else. Idle time is left out; a tooltip has the share of each frame. */
export function flameGraph(title: string, profile: CpuProfile): string {
  const root = framesOf(profile);
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number) => {
    const across = (frame.us / root.us) * width;
    if (across < leastPixels) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(frame, { x, y: 30 + depth * row, across, share: frame.us / root.us }));
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.us - a.us)) {
      draw(child, left, depth + 1);
      left += (child.us / root.us) * width;
    }
  };
  draw(root, 0, 0);
  const heading = `${escaped(title)}: ${(root.us / 1000).toFixed(0)} ms busy`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${50 + deepest * row}" font-family="monospace" font-size="11">`,
    `<text x="4" y="18" font-size="14">${heading}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

function framesOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const selfUs = new Map<number, number>();
  for (const [index, id] of samples.entries()) selfUs.set(id, (selfUs.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const add = (into: Frame, id: number): number => {
    const node = byId.get(id);
    if (!node || node.callFrame.functionName === '(idle)') return 0;
    const name = nameOf(node.callFrame);
    const frame = into.children.get(name) ?? { name, us: 0, children: new Map() };
    into.children.set(name, frame);
    const us = (node.children ?? []).reduce((sum, child) => sum + add(frame, child), selfUs.get(id) ?? 0);
    frame.us += us;
    return us;
  };
  const all: Frame = { name: 'all', us: 0, children: new Map() };
  const top = nodes[0];
  for (const child of top?.children ?? []) all.us += add(all, child);
  return all;
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const place = url.startsWith('file:') ? fileURLToPath(url) : url;
  const [, packaged] = /.*node_modules\/(.*)/.exec(place) ?? [];
  const own = place.replace(`${process.cwd()}/`, '');
  return `${name} ${packaged ?? (own === place ? basename(place) : own)}:${lineNumber + 1}`;
}

function box(frame: Frame, at: { x: number; y: number; across: number; share: number }): string {
  const { x, y, across, share } = at;
  const name = escaped(frame.name);
  const fits = Math.floor((across - 4) / 6.6);
  const label = fits < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(frame.name.slice(0, fits))}</text>`;
  const shape = `<rect x="${x.toFixed(1)}" y="${y}" width="${across.toFixed(1)}" height="${row - 1}" fill="${colourOf(frame.name)}"/>`;
  return `<g><title>${name}: ${(share * 100).toFixed(1)} %, ${(frame.us / 1000).toFixed(0)} ms</title>${shape}${label}</g>`;
}

/** Our own code stands out from packages, and these from Node and V8. */
function colourOf(name: string): string {
  if (name.includes(' gateway/')) return '#f2a65a';
  return name.includes(' node:') || !name.includes('/') ? '#d8d8d8' : '#f6dc9a';
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] as string);
