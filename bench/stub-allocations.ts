/**
 * Prints the memory that a call allocates, in kB: a stub of pos beside bare Fastify with zod. Unlike time it does not depend on
 * the machine's load. The client in the same process is included: it allocates almost nothing.
 *
 *     node bench/stub-allocations.ts
 */
import { once } from 'node:events';
import { type HeapProfiler, Session } from 'node:inspector/promises';
import { connect } from 'node:net';
import { startStub } from '../stubs/stub.ts';
import { type Call, get, post } from './stubs/calls.ts';
import { freePort } from './stubs/process.ts';

const calls = 3000;
const batch = 100;

/** Makes calls over one connection, a batch at a time. Throws if one is refused. */
async function load(origin: string, call: Call, token: string): Promise<void> {
  const { port, host } = new URL(origin);
  const body = 'body' in call ? JSON.stringify(call.body) : '';
  const about = body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`];
  const head = [`${call.method} ${call.path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${token}`, ...about];
  const requests = `${head.join('\r\n')}\r\n\r\n${body}`.repeat(batch);
  const socket = connect(Number(port), '127.0.0.1');
  for (let left = calls; left > 0; left -= batch) {
    socket.write(requests);
    for (let replies = 0; replies < batch; ) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      const statuses = chunk.toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? [];
      if (statuses.some((status) => !/ 20[01]$/.test(status))) throw new Error(`a call was refused: ${statuses[0]}`);
      replies += statuses.length;
    }
  }
  socket.destroy();
}

const bytesOf = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + bytesOf(child), selfSize);

/** The kB that a call allocates, after as many calls to warm up. */
async function allocated(origin: string, call: Call, token: string): Promise<string> {
  await load(origin, call, token);
  const session = new Session();
  session.connect();
  const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await session.post('HeapProfiler.startSampling', { samplingInterval: 8192, ...all });
  await load(origin, call, token);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  return (bytesOf(profile.head) / calls / 1000).toFixed(0);
}

const stub = await startStub('pos');
const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
const headers = { 'content-type': 'application/json' };
const reply = await fetch(`${stub.url}/api/auth`, { method: 'POST', headers, body: JSON.stringify({ api_key, api_secret }) });
const { token } = (await reply.json()) as { token: string };
const barePort = await freePort();
process.argv[2] = String(barePort);
await import('./stubs/bare-zod.ts');

for (const call of [get, post]) {
  const [own, bare] = [await allocated(stub.url, call, token), await allocated(`http://127.0.0.1:${barePort}`, call, 'any')];
  process.stdout.write(`${call.method}: a stub allocates ${own} kB, bare Fastify with zod ${bare} kB\n`);
}
process.exit(0);
