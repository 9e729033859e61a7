import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AtEnd } from '../../test/e2e/process.ts';

/** How a receiver answers. `down` answers 503, as a proxy does whose service is away. */
export type Mode = 'healthy' | 'down' | 'silent';

export interface SoakReceiver {
  readonly name: string;
  readonly url: string;
  mode: Mode;
  /** How often each event was accepted, by `webhook-id`. */
  readonly accepted: Map<string, number>;
  /** Acknowledged sales whose event has not been accepted yet, with the time of their acknowledgement; oldest first. */
  readonly owed: Map<string, number>;
  /** Notes that the gateway acknowledged a sale, so that its event is owed to this receiver. */
  sold(saleId: string): void;
  readonly figures: { requests: number; duplicates: number; otherBytes: number; mostAtOnce: number };
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

/** Starts a receiver that remembers only what it needs to find losses, duplicates and changed bytes. */
export async function startReceiver(plan: ReceiverPlan, random: () => number, atEnd: AtEnd): Promise<SoakReceiver> {
  const { unreliable = 0, answerAfterMs = 0 } = plan;
  const digests = new Map<string, string>();
  const sales = new Set<string>();
  let atOnce = 0;
  const server = createServer(async (request, response) => {
    const { figures } = self;
    figures.requests += 1;
    atOnce += 1;
    figures.mostAtOnce = Math.max(figures.mostAtOnce, atOnce);
    response.once('close', () => {
      atOnce -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const draw = random();
    if (self.mode === 'silent' || draw < unreliable / 3) return;
    if (draw < (unreliable * 2) / 3) return void response.destroy();
    if (self.mode === 'down' || draw < unreliable) return void response.writeHead(503).end();
    if (answerAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
    accept(String(request.headers['webhook-id']), Buffer.concat(chunks));
    response.end();
  });
  const accept = (id: string, body: Buffer) => {
    const { accepted, owed, figures } = self;
    const digest = createHash('sha256').update(body).digest('base64').slice(0, 12);
    if ((digests.get(id) ?? digest) !== digest) figures.otherBytes += 1;
    digests.set(id, digest);
    const times = (accepted.get(id) ?? 0) + 1;
    accepted.set(id, times);
    if (times > 1) figures.duplicates += 1;
    const { id: saleId } = JSON.parse(body.toString()).data;
    sales.add(saleId);
    owed.delete(saleId);
  };
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
    accepted: new Map(),
    owed: new Map(),
    // A webhook may arrive before the reply to its sale.
    sold(saleId) {
      if (!sales.has(saleId)) self.owed.set(saleId, Date.now());
    },
    figures: { requests: 0, duplicates: 0, otherBytes: 0, mostAtOnce: 0 },
  };
  return self;
}
