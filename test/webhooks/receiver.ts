import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
}

/** A receiver of webhooks on this machine. `answer` is called after the body came; by default it answers 200. */
export async function receiver(
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const listen: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(one);
    answer(response, one);
  };
  const server = createServer((request, response) => void Promise.resolve(listen(request, response)).catch(() => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/hook`, received };
}
