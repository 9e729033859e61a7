/**
 * Accepts webhooks and remembers when they came. At a path that begins with `/timed` it also measures the time
 * since the event, and at one that begins with `/silent` it never answers.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerAsks, nowMs, pause } from './ask.ts';

/** When each delivery was accepted. */
let receivedMs: number[] = [];
/** Milliseconds from an event to each of its arrivals at a timed path. */
let delaysMs: number[] = [];

const server = createServer(async (request, response) => {
  const atMs = nowMs();
  const path = request.url ?? '';
  if (path.startsWith('/silent')) return void request.resume();
  const body = await text(request);
  receivedMs.push(atMs);
  if (path.startsWith('/timed')) delaysMs.push(atMs - JSON.parse(body).data.emitted_at);
  response.end('ok');
});

/** A delivery that is lost must not let the benchmark wait for ever. */
const longestWaitMs = 10 * 60_000;

const asks = {
  /** Returns the address of the server. */
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  forget() {
    receivedMs = [];
    delaysMs = [];
  },
  /** Returns when each delivery was accepted, in milliseconds since 1970, as soon as there are so many. */
  async wait(count: number): Promise<number[]> {
    const began = nowMs();
    while (receivedMs.length < count) {
      if (nowMs() - began > longestWaitMs) throw new Error(`only ${receivedMs.length} of ${count} deliveries have arrived`);
      await pause(2);
    }
    return receivedMs;
  },
  delays: () => delaysMs,
};
export type ReceiverAsks = typeof asks;

server.listen(0, '127.0.0.1', () => answerAsks(asks));
