import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cpuSeconds } from './cpu-seconds.ts';

export const operatorToken = 'operator-token-of-the-bench';
const print = (line: string) => process.stdout.write(`${line}\n`);
const hour = 3_600_000;

export async function startGateway(settings: Record<string, string>): Promise<{ url: string; child: ChildProcess }> {
  const env = { ...process.env, PORT: '0', OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'silent', ...settings };
  const child = spawn(process.execPath, ['gateway/server.ts', '--json', '--no-demo'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) return { url: JSON.parse(line).url, child };
  throw new Error('The gateway ended before it was ready.');
}

export interface Answer {
  status: number;
  ms: number;
  body: { data?: unknown; next?: string | null; searched_to?: string | null };
}

export const reader =
  (url: string) =>
  async (path: string): Promise<Answer> => {
    const begun = performance.now();
    const reply = await fetch(`${url}/manage/v1${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    const text = await reply.text();
    return { status: reply.status, ms: performance.now() - begun, body: JSON.parse(text) };
  };

export type Read = ReturnType<typeof reader>;

/** The console's requests by name. `{}` in a path stands for the id of a delivery, an event or a call. */
const readings: Record<string, string> = {
  'deliveries: first page': '/deliveries',
  'deliveries: page of 100': '/deliveries?limit=100',
  'deliveries: failed': '/deliveries?status=failed',
  'deliveries: pending (none)': '/deliveries?status=pending',
  'deliveries: endpoint': '/deliveries?endpoint_id=ep_7',
  'deliveries: endpoint, failed': '/deliveries?endpoint_id=ep_7&status=failed',
  'deliveries: type': '/deliveries?event_type=sale.completed',
  'deliveries: reason': '/deliveries?reason=status',
  'deliveries: rare reason': '/deliveries?reason=tls',
  'deliveries: answer 500': '/deliveries?response_status=500',
  'deliveries: answer 204, no index': '/deliveries?response_status=204',
  'deliveries: an hour': `/deliveries?from=${new Date(Date.now() - 2 * hour).toISOString()}&to=${new Date(Date.now() - hour).toISOString()}`,
  'deliveries: failed, of a type': '/deliveries?status=failed&event_type=payment.received',
  'deliveries: failed, of a type: none': '/deliveries?status=failed&event_type=sale.completed',
  'deliveries: text': '/deliveries?q=customer%2077%22',
  'deliveries: text, none': '/deliveries?q=nobody',
  'deliveries: failed, text, none': '/deliveries?status=failed&q=nobody',
  'delivery: one': '/deliveries/{delivery}',
  'event: one': '/events/{event}',
  'events: first page': '/events',
  'events: type': '/events?type=sale.completed',
  'events: service': '/events?service=pos',
  'events: subject (none)': '/events?subject=store_1',
  'events: unmatched (rare)': '/events?unmatched=true',
  'events: text': '/events?q=customer%2077%22',
  'events: text, none': '/events?q=nobody',
  'endpoints: first page': '/endpoints',
  'endpoints: held': '/endpoints?state=held',
  'endpoints: disabled': '/endpoints?state=disabled',
  'endpoints: text': '/endpoints?q=receiver-77',
  'endpoints: text, none': '/endpoints?q=nobody',
  'calls: first page': '/calls',
  'calls: page of 100': '/calls?limit=100',
  'calls: api': '/calls?api=pos',
  'calls: operation': '/calls?operation=createSale',
  'calls: caller': '/calls?caller=token:7',
  'calls: address': '/calls?ip=203.0.7.7',
  'calls: address, none': '/calls?ip=198.51.100.1',
  'calls: method': '/calls?method=POST',
  'calls: rare method, no index': '/calls?method=DELETE',
  'calls: 4xx': '/calls?status=4xx',
  'calls: 5xx': '/calls?status=5xx',
  'calls: 3xx (none), no index': '/calls?status=3xx',
  'calls: 404 (none)': '/calls?status=404',
  'calls: error code': '/calls?error_code=internal_error',
  'calls: refused by a limit': '/calls?limited=true',
  'calls: pos, 5xx': '/calls?api=pos&status=5xx',
  'calls: caller, operation: none': '/calls?caller=token:7&operation=createSale',
  'calls: operation, error code: none': '/calls?operation=readStats&error_code=rate_limited',
  'calls: text': '/calls?q=customer%2012',
  'calls: text, none': '/calls?q=nobody-at-all',
  'calls: 4xx, text, none': '/calls?status=4xx&q=nobody-at-all',
  'call: one': '/calls/{call}',
  ledger: '/ledger',
  'ledger: an endpoint': '/ledger?endpoint_id=ep_7',
  'ledger: an hour': `/ledger?from=${new Date(Date.now() - hour).toISOString()}`,
  reasons: '/reasons',
  notices: '/notices',
  recoveries: '/recoveries',
  verifications: '/verifications',
  'overview: hour': '/overview?period=hour',
  'overview: day': '/overview?period=day',
  'overview: week': '/overview?period=week',
  'endpoint figures': `/endpoints/figures?ids=${Array.from({ length: 50 }, (_, number) => `ep_${number}`)}`,
  limits: '/limits',
};

const idOf = async (read: Read, list: string) => ((await read(`/${list}?limit=1`)).body.data as { id: string }[])[0]?.id ?? '';

/** Returns the requests that this gateway serves, with ids filled in. */
async function served(read: Read): Promise<Map<string, string>> {
  const ids = { delivery: await idOf(read, 'deliveries'), event: await idOf(read, 'events'), call: await idOf(read, 'calls') };
  const found = new Map<string, string>();
  for (const [name, pattern] of Object.entries(readings)) {
    const path = pattern.replace(/\{(\w+)\}/, (_, kind: keyof typeof ids) => ids[kind]);
    const { status } = await read(path);
    if (status === 200) found.set(name, path);
    else print(`${name}: not measured, ${path} answers ${status}`);
  }
  return found;
}

export const at = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;

/** The figures of one request: milliseconds, and what it found. */
export interface Measured {
  name: string;
  p50: number;
  p95: number;
  /** Mean processor time of the gateway. */
  cpu: number;
  found: string;
}

export interface Measuring {
  read: Read;
  server: ChildProcess;
}

/** Makes each request once for warming up, then `rounds` times, in turns. */
export const measure = async (read: Read, server: ChildProcess, rounds: number): Promise<Measured[]> =>
  (await measureBeside([{ read, server }], rounds))[0] as Measured[];

/** Measures several gateways in turns, so that what else the machine does meanwhile slows them alike. */
export async function measureBeside(gateways: Measuring[], rounds: number): Promise<Measured[][]> {
  const each = [];
  for (const { read, server } of gateways) {
    const paths = await served(read);
    each.push({ read, server, paths, taken: new Map([...paths.keys()].map((name) => [name, taken()])) });
  }
  const names = [...(each[0]?.paths.keys() ?? [])];
  for (let round = 0; round <= rounds; round++)
    for (const name of names)
      for (const { read, server, paths, taken } of each) {
        const before = cpuSeconds(server);
        const { ms, body } = await read(paths.get(name) ?? '');
        const one = taken.get(name) as Taken;
        const rows = Array.isArray(body.data) ? `${body.data.length} rows` : '';
        one.found = `${rows}${body.searched_to ? ', to be continued' : ''}`;
        if (round === 0) continue;
        one.cpuMs += ((cpuSeconds(server) - before) * 1000) / rounds;
        one.times.push(ms);
      }
  return each.map(({ taken }) =>
    [...taken].map(([name, { times, cpuMs, found }]) => {
      times.sort((a, b) => a - b);
      return { name, p50: at(times, 0.5), p95: at(times, 0.95), cpu: cpuMs, found };
    }),
  );
}

type Taken = ReturnType<typeof taken>;
const taken = () => ({ times: [] as number[], cpuMs: 0, found: '' });
