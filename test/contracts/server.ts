import type { ServerResponse } from 'node:http';
import { type Received, receiver } from '../webhooks/receiver.ts';

type Request = Pick<Received, 'method' | 'headers'> & { url: string };

/** Starts a server of the partner, which is closed when the test ends. Returns its origin. */
export async function serve(answer: (request: Request, response: ServerResponse, body: string) => unknown): Promise<string> {
  const { url } = await receiver((response, { method, path, headers, body }) => {
    answer({ method, url: path, headers }, response, body);
  });
  return new URL(url).origin;
}
