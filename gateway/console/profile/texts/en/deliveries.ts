import { deliveries as shared } from '../../../page/texts/en/deliveries.ts';

export const deliveries = {
  ...shared,
  list: 'Deliveries to your endpoints, newest first',
  retry: 'Retry everything owed',
  none: {
    title: shared.none.title,
    endpoints: 'Your endpoints',
    next: 'Each event that one of your endpoints wants becomes a delivery. Add an endpoint under Webhooks and verify it.',
  },
  filters: { ...shared.filters, q: 'Text in your events', qExample: 'a reference, an id … (/)', eventType: 'Event' },
  states: { ...shared.states, failed: 'failed' },
  subject: { account: 'Store', user: 'Structure' },
  removed: 'removed endpoint',
};
