import type { ServiceName } from '../../../contracts/documents/services.ts';
import type { SeenWebhook } from '../../../contracts/tools/observed/webhooks/webhook.ts';

export type { SeenWebhook };

const beganMs = Date.parse('2026-11-23T12:00:00Z');
const bodies = {
  pos: { event: 'sync.completed', delivered_at: '2026-11-23T12:00:00+00:00', data: {} },
  cohesion: { event: 'indicator.alert', delivered_at: '2026-11-23T12:00:00+00:00', data: {} },
};

/** A webhook that the receiver accepted. `seconds`: when it arrived; `took`: how long the receiver took. */
export function webhookOf(
  api: ServiceName,
  { seconds = 0, took = 0, ...changes }: Partial<SeenWebhook> & { seconds?: number; took?: number },
): Omit<SeenWebhook, 'number'> {
  const atMs = beganMs + seconds * 1000;
  return {
    ...{ headers: {}, body: bodies[api], answer: { status: 204, headers: {} }, isGivenUp: false },
    ...{ at: new Date(atMs), endedAt: new Date(atMs + took * 1000) },
    ...changes,
  };
}
