import { once } from 'node:events';
import { createServer } from 'node:http';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { type PactResults, runPact } from '../../contracts/tools/verification/pact.ts';

/** Verifies a provider that answers GET /health alone. */
export async function verify(source: Partial<VerifierOptions>): Promise<PactResults> {
  await using provider = await tinyProvider();
  return await runPact({
    ...source,
    providerBaseUrl: provider.url,
    providerStatesSetupUrl: `${provider.url}/states`,
    logLevel: 'error',
  });
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
