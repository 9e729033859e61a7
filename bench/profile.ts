import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CallServers, measure, tokenOf } from './call-servers.ts';
import { flameGraph } from './flame-graph.ts';
import { shareLines } from './shares.ts';

const folder = 'bench/profiles';
const warmUpSeconds = 3;

/**
 * Profiles a gateway under load, first with /me, then with /indicateurs/1. Writes a `.cpuprofile` and a flame graph for each
 * of its threads, and returns the paths of the graphs, each followed by the microseconds of a call by package and room.
 */
export async function profileCalls(servers: CallServers, load: { seconds: number; connections: number }): Promise<string[]> {
  const gateway = await servers.startGateway(['--import', './bench/profiler.ts']);
  const token = tokenOf(gateway);
  const lines: string[] = [];
  for (const path of ['me', 'indicateurs/1']) {
    const call = (seconds: number) => measure(`${gateway.ready.cohesion.baseUrl}/${path}`, gateway, { ...load, token, seconds });
    const into = join(folder, path.replace('/', '-'));
    mkdirSync(into, { recursive: true });
    await call(warmUpSeconds);
    await order(gateway.child, { profile: 'start' });
    const { calls } = await call(load.seconds);
    await order(gateway.child, { profile: 'stop', folder: resolve(into) });
    for (const file of readdirSync(into).filter((name) => name.endsWith('.cpuprofile'))) {
      const graph = join(into, file.replace('.cpuprofile', '.svg'));
      const profile = JSON.parse(readFileSync(join(into, file), 'utf8'));
      writeFileSync(graph, flameGraph(`${path}, ${file}`, profile));
      lines.push(graph, ...shareLines(profile, calls).map((line) => `  ${line}`));
    }
  }
  return lines;
}

/** Sends an order to `profiler.ts` in the server, and waits until all its threads obeyed. */
async function order(child: ChildProcess, message: object): Promise<void> {
  child.send(message);
  await once(child, 'message');
}
