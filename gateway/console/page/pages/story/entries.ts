import type { paths } from '../../lib/api.ts';
export type Story = paths['/story']['get']['responses'][200]['content']['application/json']['data'];
type Owner = Story['endpoints'][number]['owner'];

/** One thing that happened. `depth` is its place in the chain: call, event, delivery, attempt. */
export type Entry = { id: string; at: string; depth: 0 | 1 | 2 | 3 } & (
  | { kind: 'call'; call: Story['calls'][number] }
  | { kind: 'gone'; callId: string }
  | { kind: 'event'; event: Story['events'][number] }
  | { kind: 'delivery'; delivery: Story['deliveries'][number]; url: string; owner: Owner | undefined }
  | { kind: 'attempt'; attempt: Story['attempts'][number]; delivery: Story['deliveries'][number] | undefined; url: string }
);

/** Everything in the order of time. Entries of the same millisecond are in the order of the chain. */
export function entriesOf(story: Story): Entry[] {
  const endpoints = new Map(story.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const urlOf = ({ endpoint_id }: Story['deliveries'][number]) => endpoints.get(endpoint_id)?.url ?? endpoint_id;
  const deliveries = new Map(story.deliveries.map((delivery) => [delivery.id, delivery]));
  const firstEvents = new Map(story.events.toReversed().map((event) => [event.caused_by, event]));
  const entries: Entry[] = [
    ...story.calls.map((call) => ({ kind: 'call' as const, id: call.id, at: call.at, depth: 0 as const, call })),
    ...story.calls_gone.map((callId) => {
      const at = firstEvents.get(callId)?.created_at ?? '';
      return { kind: 'gone' as const, id: callId, at, depth: 0 as const, callId };
    }),
    ...story.events.map((event) => ({ kind: 'event' as const, id: event.id, at: event.created_at, depth: 1 as const, event })),
    ...story.deliveries.map((delivery) => ({
      kind: 'delivery' as const,
      id: delivery.id,
      at: delivery.created_at,
      depth: 2 as const,
      delivery,
      url: urlOf(delivery),
      owner: endpoints.get(delivery.endpoint_id)?.owner,
    })),
    ...story.attempts.map((attempt) => {
      const delivery = deliveries.get(attempt.delivery_id);
      const url = delivery ? urlOf(delivery) : '';
      return { kind: 'attempt' as const, id: attempt.id, at: attempt.started_at, depth: 3 as const, attempt, delivery, url };
    }),
  ];
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.depth - b.depth || (a.id < b.id ? -1 : 1));
}
