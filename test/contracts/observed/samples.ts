import { SeenCall } from '../../../contracts/tools/observed/call.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import type { Received } from '../../../contracts/tools/observed/webhooks/webhook.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';

const beganMs = Date.parse('2026-11-23T12:00:00Z');
const bodies = {
  pos: { event: 'sync.completed', delivered_at: '2026-11-23T12:00:00+00:00', data: {} },
  cohesion: { event: 'indicator.alert', delivered_at: '2026-11-23T12:00:00+00:00', data: {} },
};

/** A webhook that the receiver accepted. `seconds`: when it arrived; `took`: how long the receiver took. */
export type Sent = Partial<Omit<Received, 'at' | 'endedAt'>> & { seconds?: number; took?: number };

export function webhookOf(api: ServiceName, { seconds = 0, took = 0, ...changes }: Sent): Received {
  const atMs = beganMs + seconds * 1000;
  return {
    headers: {},
    body: bodies[api],
    answer: { status: 204, headers: {} },
    isGivenUp: false,
    at: new Date(atMs),
    endedAt: new Date(atMs + took * 1000),
    ...changes,
  };
}

/** What was seen of these webhooks, each at its second of the run. */
export function observedOf(api: ServiceName, ...sent: Sent[]) {
  const observation = new Observation(api, 'https://sandbox.example');
  for (const one of sent) observation.addWebhook(webhookOf(api, one));
  return observation.observed;
}

/** A call of a client with a token. */
export interface Seen {
  on: string;
  status: number;
  headers?: Record<string, string>;
  reply?: unknown;
  sent?: unknown;
  query?: Record<string, string>;
  token?: string;
}

export const seen = ({ on, status, headers = {}, reply, sent, query = {}, token = 't' }: Seen): SeenCall =>
  new SeenCall({
    asked: {
      operation: on,
      path: `/api/v1${on.split(' ')[1]}`,
      query,
      headers: { authorization: `Bearer ${token}` },
      body: sent,
    },
    reply: { status, headers: { 'content-type': 'application/json', ...headers }, body: reply },
  });
