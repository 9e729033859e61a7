import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { VerifierOptions } from '@pact-foundation/pact-core';

export interface Verified {
  /** False where a pact that is not pending fails, or none could be loaded. */
  result: boolean;
  interactionResults: { consumer: string; description: string; result: string; pending: boolean }[];
  /** Everything that it printed. */
  printed: string;
}

/** Verifies a provider that answers GET /health alone, with pact-core's real verifier. */
export async function verify(source: Partial<VerifierOptions>): Promise<Verified> {
  await using provider = await tinyProvider();
  const env = { PACT_DO_NOT_TRACK: 'true' };
  const child = fork(join(import.meta.dirname, 'verifier-child.ts'), { silent: true, env, execArgv: [] });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')));
  child.send({ ...source, providerBaseUrl: provider.url, providerStatesSetupUrl: `${provider.url}/states` });
  const [result] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return { ...JSON.parse(String(result)), printed: (await printed).join('\n') };
}

async function tinyProvider(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, reply) => {
    const known = request.url === '/health' || request.url === '/states';
    reply.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
