import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { merge } from '../merge.ts';
import type { StubDelivery, Triggered } from '../webhook-types.ts';
import type { EventType, ManageClient } from './manage.ts';
import { unknownEvent } from './wanted.ts';

export interface TestEvents {
  events: readonly { event: string; data?: Record<string, unknown> | undefined }[];
  /** A URL that gets these events instead of the gateway's endpoints. */
  to?: string | undefined;
  /** The number of times that each delivery is repeated. */
  duplicates: number;
  /** Called with the signing secret of `to`, before anything is sent to it. */
  onSecret?(secret: string): void;
}

/** An attempt ends after 15 s. */
const longestAttemptMs = 30_000;
const pollMs = 100;

/**
 * Sends test events of a running gateway, which changes none of its data, and waits for their attempts. Throws `CouldNotRun`
 * for an unknown event, or if no endpoint gets it.
 */
export async function sendTestEvents(
  manage: ManageClient,
  { events, to, duplicates, onSecret }: TestEvents,
): Promise<Triggered[]> {
  const types = await manage.eventTypes();
  const wanted = events.map(({ event, data = {} }) => {
    const type = types.find((one) => one.type === event);
    if (!type) throw unknownEvent(event, types);
    return { type, data: merge(type.example, data) };
  });
  const triggered: Triggered[] = [];
  for (const { type, data } of wanted) {
    const own = to === undefined ? undefined : await endpointFor(manage, type, to, onSecret);
    try {
      const endpoints = own ? [own] : await manage.endpointsFor(type);
      if (endpoints.length === 0)
        throw new CouldNotRun(`No endpoint of the gateway gets ${type.type}. Send it to your receiver with --to.`);
      for (const { id } of endpoints) triggered.push(await testOf(manage, id, { event_type: type.type, data }, duplicates));
    } finally {
      if (own) await manage.removeEndpoint(own.id);
    }
  }
  return triggered;
}

/** An endpoint that gets nothing but test events: no event is about the subject of its perimeter. */
async function endpointFor(manage: ManageClient, { service, type }: EventType, url: string, onSecret: TestEvents['onSecret']) {
  const endpoint = { service, url, events: [type], perimeter: ['passerelle trigger'] };
  const made = await manage.createEndpoint(endpoint, 'passerelle trigger');
  onSecret?.(made.secret);
  return made;
}

async function testOf(
  manage: ManageClient,
  endpointId: string,
  test: { event_type: string; data: unknown },
  duplicates: number,
): Promise<Triggered> {
  const { id } = await manage.sendTest(endpointId, test);
  let delivery = await attempted(manage, id, 1);
  for (let again = 1; again <= duplicates; again++) delivery = await resent(manage, delivery);
  const because = 'It is a test event of the gateway.';
  return { id: delivery.event_id, event: test.event_type, example: true, because, deliveries: [delivery] };
}

/** Makes one more attempt of a delivery. Returns the delivery after it. */
export async function resent(
  manage: ManageClient,
  { id, attempts }: Pick<StubDelivery, 'id' | 'attempts'>,
): Promise<StubDelivery> {
  await manage.resend(id);
  return attempted(manage, id, attempts + 1);
}

/** Waits until a delivery has had so many attempts. */
async function attempted(manage: ManageClient, id: string, attempts: number): Promise<StubDelivery> {
  const endMs = Date.now() + longestAttemptMs;
  for (;;) {
    const delivery = await manage.delivery(id);
    if (delivery.attempts >= attempts || delivery.status === 'skipped' || Date.now() > endMs) return delivery;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
