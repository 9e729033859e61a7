/**
 * Measures a call through the whole request pipeline (recorded, identified, limited, validated, serialized) against bare
 * Fastify with the same reply. Prints ratios; medians of interleaved rounds. Then, if `hey` is
 * installed (Debian: apt-get install hey), calls bare Fastify and `/me` at 80 % of their most calls, each connection at its pace.
 *
 *     npm run bench -- [--seconds 5] [--rounds 5] [--connections 50]
 *
 * Needs wrk (Debian: apt-get install wrk). Server, load and
 * database share the machine's cores.
 */
import { parseArgs } from 'node:util';
import { CallServers, type Gateway, type Measured, measure, pacedCalls, type Server, tokenOf } from './call-servers.ts';
import { median } from './median.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '50' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
/**
 * The first thousands of calls cost more, because their code is not compiled yet, and a busy machine makes few in a second.
 * So the number of calls decides when a variant is warm, and how long a round lasts at least.
 */
const leastCalls = { warmUp: 8000, round: 3000 };
const whole = 'whole way, no query in the verb (/me)';
const paths = {
  [whole]: '/me',
  'whole way, one query in the verb (/indicateurs/1)': '/indicateurs/1',
};
const distinct = 'the same, each call for another row (/indicateurs/N)';

async function compare(servers: CallServers): Promise<void> {
  const gateway = await servers.startGateway();
  const token = tokenOf(gateway);
  const { baseUrl } = gateway.ready.cohesion;
  const reply = await (await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${token}` } })).text();
  const bare = await servers.start(['bench/bare.ts', reply]);
  const urlOf = ({ ready }: { ready: unknown }) => (ready as { url: string }).url;
  const variants: Record<string, { server: Server; url: string; paths?: string[] }> = {
    'bare Fastify': { server: bare, url: urlOf(bare) },
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { server: gateway, url: `${baseUrl}${path}` }])),
    [distinct]: { server: gateway, url: baseUrl, paths: await indicatorPaths(baseUrl, token) },
  };
  const measured = Object.fromEntries(Object.keys(variants).map((name): [string, Measured[]] => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, { server, url, paths }] of Object.entries(variants)) {
      const least = leastCalls[round > 0 ? 'round' : 'warmUp'];
      const result = await measure(url, server, { ...load, token, paths, leastCalls: least });
      // The first round warms up.
      if (round > 0) measured[name]?.push(result);
    }
  }
  report(measured);
  for (const name of ['bare Fastify', whole]) {
    const most = median((measured[name] ?? []).map(({ perSecond }) => perSecond));
    print(`${name}, ${await pacedCalls(variants[name]?.url ?? '', token, { ...load, perSecond: 0.8 * most })}`);
  }
  print(`records lost under this load: ${await lostRecords(gateway)}`);
}

/** Returns the paths of the indicators that the token's user sees. */
async function indicatorPaths(baseUrl: string, token: string): Promise<string[]> {
  const reply = await fetch(`${baseUrl}/indicateurs?per_page=100`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await reply.json()) as { data: { id: number }[] };
  return data.map(({ id }) => `${new URL(baseUrl).pathname}/indicateurs/${id}`);
}

function report({ 'bare Fastify': bare = [], ...others }: Record<string, Measured[]>): void {
  const of = (runs: Measured[], key: keyof Measured) => median(runs.map((one) => one[key]));
  const multiples = (runs: Measured[], key: keyof Measured) => runs.map((one, round) => one[key] / (bare[round]?.[key] ?? 0));
  print(`${values.rounds} rounds of ${load.seconds} s, ${load.connections} connections, Node ${process.version}`);
  print('variant | CPU, times bare | calls/s, of bare | calls/s | p50 ms | p99 ms | CPU us/call');
  for (const [name, runs] of Object.entries({ 'bare Fastify': bare, ...others })) {
    const ratios = (['cpuMicroseconds', 'perSecond'] as const).map((key) => median(multiples(runs, key)).toFixed(2));
    const figures = [of(runs, 'perSecond').toFixed(0), of(runs, 'p50Ms').toFixed(1), of(runs, 'p99Ms').toFixed(1)];
    print([name, ...ratios, ...figures, of(runs, 'cpuMicroseconds').toFixed(0)].join(' | '));
  }
}

async function lostRecords({ ready: { url, operator } }: Gateway): Promise<number> {
  const headers = { authorization: `Bearer ${operator.token}` };
  const calls = await (await fetch(`${url}/manage/v1/calls?limit=1`, { headers })).json();
  return (calls as { recorder: { lost: number } }).recorder.lost;
}

const servers = new CallServers();
try {
  await compare(servers);
} finally {
  servers.stop();
}
