import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Starts a receiver of webhooks on this machine. `answer` is called when the body has arrived; by default it answers 200. */
export async function receiver(answer?: Answer): Promise<Receiver> {
  const { url, received } = await receiverOn(0, answer);
  return { url, received };
}

type Answer = (response: ServerResponse, received: Received) => void;

/** Starts a receiver on this port, and returns its server too. */
export async function receiverOn(
  port: number,
  answer: Answer = (response) => response.end('ok'),
): Promise<Receiver & { server: Server }> {
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
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}/hook`, received, server };
}

/** Starts a receiver that answers only when `answerAll` is called. */
export async function patientReceiver() {
  const waiting: ServerResponse[] = [];
  let most = 0;
  const { url, received } = await receiver((response) => {
    waiting.push(response);
    most = Math.max(most, waiting.length);
  });
  const answerAll = () => {
    for (const response of waiting.splice(0)) response.end('ok');
  };
  return { url, received, waiting, answerAll, most: () => most };
}
