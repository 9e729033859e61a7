import { count } from '../../lib/format.ts';

export const deliveries = {
  title: 'Deliveries',
  list: 'Deliveries, newest first',
  retry: 'Retry these now',
  noMatch: { title: 'No matching deliveries', next: 'Remove a filter, or choose a longer time.' },
  none: {
    title: 'No deliveries yet',
    next: 'A delivery is created for each endpoint that an event matches. Create an endpoint under Endpoints and send it a test event, or run this command for a first one:',
  },
  filters: {
    q: 'Text in payload, or event id',
    qExample: 'a reference, evt_… (/)',
    status: 'Status',
    endpoint_id: 'Endpoint',
    since: 'Time',
    reason: 'Error',
    event_type: 'Event type',
    blocking: 'Order',
    waits_for: 'Waits for',
    response_status: 'HTTP status',
  },
  states: { pending: 'pending', delivered: 'delivered', failed: 'failed (dead letters)', skipped: 'skipped' },
  blocking: 'blocks those behind it',
  behind: (amount: number, more: boolean) => `${more ? 'at least ' : ''}${count(amount)} behind it`,
  waits: { time: 'its next attempt', turn: 'its turn' },
  columns: {
    created: 'Created',
    status: 'Status',
    event: 'Event',
    endpoint: 'Endpoint',
    blockedSince: 'Blocks since',
    attempts: 'Attempts',
    result: 'Result',
  },
};
