/**
 * Pact's verifier alone: a server answers each interaction of a pact with the pact's own reply. The lower bound for
 * `bench/verify.ts`. Argument: the pact's file, whose requests have the header `x-bench-interaction`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Verifier } from '@pact-foundation/pact-core';
import { type LongPact, numberHeader } from './pact.ts';

const [, , file = ''] = process.argv;
const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as LongPact;

const server = createServer(async (request, response) => {
  await request.resume().toArray();
  const { status, headers = {}, body } = interactions[Number(request.headers[numberHeader])]?.response ?? { status: 404 };
  response.writeHead(status, headers).end(body && JSON.stringify(body.content));
}).listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const result = await new Verifier({
    provider: 'bench',
    providerBaseUrl: `http://127.0.0.1:${port}`,
    pactUrls: [file],
    logLevel: 'error',
  })
    .verify()
    .catch((error: Error) => error.message);
  const { interactionResults } = JSON.parse(result) as { interactionResults: { result: string }[] };
  const verified = interactionResults.filter((one) => one.result === 'OK').length;
  process.stdout.write(`\n${verified} of ${interactions.length} verified\n`);
  server.close();
  server.closeAllConnections();
});
