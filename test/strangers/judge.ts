/**
 * Prism as a judge: its proxy stands before a stub of each API in its default settings, and validates every reply against the document
 * that the stub serves. Each documented reply of each operation is asked for. Needs `prism` in the PATH: `.ci/strangers` runs it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import type { Asked, Cause } from '../../stubs/examples/causes/cause.ts';
import { scenes } from '../../stubs/examples/reference.ts';
import { examplesOf } from '../../stubs/examples/reply.ts';
import { type Stub, startStub } from '../../stubs/stub.ts';
import { freePort } from '../free-port.ts';

interface Violation {
  location: string[];
  message: string;
}

/** Causes inside the gateway, and requests that Prism reads itself. The stub gives their replies when asked by name. */
const needsPrefer: ReadonlySet<string> = new Set(['unsupported_media_type', 'unsupported_encoding']);

async function judge(api: ServiceName): Promise<string[]> {
  const { causes, requests, seed } = scenes[api];
  await using stub = await startStub(api, { seed } as never);
  const prism = await proxyOf(stub);
  const wrong: string[] = [];
  let replies = 0;
  for (const operation of Object.keys(requests))
    for (const cause of causes.filter(({ operations }) => operations?.includes(operation) ?? true)) {
      await stub.reset();
      const reply = await send(prism.url, await requestFor(stub, requests[operation] as Asked, cause));
      const expected = examplesOf(api).named(operation, cause.name)?.status;
      const violations = JSON.parse(reply.headers.get('sl-violations') ?? '[]') as Violation[];
      const found = violations.filter(({ location: [part] }) => part === 'response').map(({ message }) => message);
      if (reply.status !== expected) found.push(`status ${reply.status}, not ${expected}: ${await reply.text()}`);
      if (!reply.headers.has('x-request-id')) found.push('the stub did not get the call');
      wrong.push(...found.map((message) => `${operation}, ${cause.name}: ${message}`));
      replies += 1;
    }
  await prism.close();
  process.stdout.write(`${api}: ${replies} replies, ${wrong.length} violations\n`);
  return wrong;
}

async function requestFor(stub: Stub, request: Asked, { name, ask }: Cause): Promise<Asked> {
  const call = async (asked: Asked) => (await send(stub.url, asked)).json() as Promise<Record<string, unknown>>;
  const headers = request.url === '/api/auth' ? {} : await scenes[stub.api].signedIn({ call });
  const correct = { ...request, headers };
  const byName = { ...correct, headers: { ...headers, prefer: `example=${name}` } };
  const inside = new Proxy(
    {},
    {
      get: () => {
        throw new InsideOnly();
      },
    },
  ) as never;
  const onlyInside = () => {
    throw new InsideOnly();
  };
  try {
    const scene = { core: inside, correct, call, advance: async (byMs: number) => void (await stub.clock.advance(byMs)) };
    const asked = await ask?.({ ...scene, failStore: onlyInside, limitOperations: onlyInside });
    return needsPrefer.has(name) || typeof asked?.body === 'string' ? byName : (asked ?? correct);
  } catch (error) {
    if (error instanceof InsideOnly) return byName;
    throw error;
  }
}

class InsideOnly extends Error {}

const send = (origin: string, { method, url, headers, body }: Asked) =>
  fetch(`${origin}${url}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });

async function proxyOf(stub: Stub): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort();
  const options = ['--errors', 'false', '--host', '127.0.0.1', '--port', String(port)];
  const prism = spawn('prism', ['proxy', `${stub.url}/openapi.json`, stub.url, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(prism, 'exit');
  const listens = Promise.withResolvers<void>();
  createInterface(prism.stdout).on('line', (line) => line.includes('Prism is listening') && listens.resolve());
  await Promise.race([listens.promise, ended.then(() => Promise.reject(new Error('Prism did not start.')))]);
  const close = async () => {
    prism.kill();
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const wrong = [];
for (const api of serviceNames) wrong.push(...(await judge(api)));
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
