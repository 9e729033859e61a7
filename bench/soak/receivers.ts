import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AtEnd } from '../../test/e2e/process.ts';
import type { History } from './history.ts';

/** How a receiver answers. `down` answers 503, as a proxy does whose service is away. */
export type Mode = 'healthy' | 'down' | 'silent';

export interface SoakReceiver {
  readonly name: string;
  readonly url: string;
  mode: Mode;
  /** Acknowledged sales whose event has not been accepted yet, with the time of their acknowledgement; oldest first. */
  readonly owed: Map<string, number>;
  /** Notes that the gateway acknowledged a sale, so that its event is owed to this receiver. */
  sold(saleId: string): void;
  readonly figures: { requests: number; duplicates: number };
}

/** What one endpoint of the soak does, and the settings it is registered with. */
export interface ReceiverPlan {
  name: string;
  /** The share of requests that get no answer, a reset and a 500, each from 0 to 1. */
  unreliable?: number;
  answerAfterMs?: number;
  endpoint?: { max_in_flight?: number; max_per_second?: number; ordered?: boolean };
}

export const plans: readonly ReceiverPlan[] = [
  { name: 'healthy' },
  { name: 'ordered', endpoint: { ordered: true } },
  { name: 'at most 3 at once', answerAfterMs: 30, endpoint: { max_in_flight: 3 } },
  { name: 'unreliable', unreliable: 0.05 },
];

/** Starts a receiver that writes each request into the history, if there is one. */
export async function startReceiver(
  plan: ReceiverPlan,
  random: () => number,
  { history, atEnd }: { history?: History; atEnd: AtEnd },
): Promise<SoakReceiver> {
  const { name: endpoint, unreliable = 0, answerAfterMs = 0 } = plan;
  const sales = new Set<string>();
  const server = createServer(async (request, response) => {
    self.figures.requests += 1;
    const at = Date.now();
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const event: string = JSON.parse(body.toString()).data.id;
    response.once('close', () => {
      const digest = createHash('sha256').update(body).digest('base64');
      const status = response.writableEnded ? response.statusCode : undefined;
      const sequence = request.headers['webhook-id'];
      history?.write({ kind: 'received', event, endpoint, at, ended: Date.now(), status, digest, sequence });
    });
    const draw = random();
    if (self.mode === 'silent' || draw < unreliable / 3) return;
    if (draw < (unreliable * 2) / 3) return void response.destroy();
    if (self.mode === 'down' || draw < unreliable) return void response.writeHead(503).end();
    if (answerAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
    if (sales.has(event)) self.figures.duplicates += 1;
    sales.add(event);
    self.owed.delete(event);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const self: SoakReceiver = {
    name: plan.name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    mode: 'healthy',
    owed: new Map(),
    // A webhook may arrive before the reply to its sale.
    sold(saleId) {
      if (!sales.has(saleId)) self.owed.set(saleId, Date.now());
    },
    figures: { requests: 0, duplicates: 0 },
  };
  return self;
}
