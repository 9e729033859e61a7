import { count, form, plural } from '../../lib/format.ts';

export const event = {
  title: 'Event',
  all: 'Events',
  payload: 'Payload',
  creating: { title: 'Its deliveries are being created', next: 'They will appear here.' },
  facts: {
    time: 'Time',
    fannedOut: 'Deliveries created',
    cause: 'Caused by',
    trace: 'Trace',
    subject: 'Subject',
    type: 'Type',
  },
  notYet: 'not yet',
  noCause: 'not stored',
  noSubject: 'none',
  inCatalogue: (type: string) => `${type} in the catalogue`,
  sentAs: 'Sent as webhook-id',
  deliveries: {
    list: 'Deliveries of this event',
    endpoint: 'Endpoint',
    state: 'State',
    response: 'Response',
    attempts: 'Attempts',
    changed: 'Last change',
  },
  fanOut: {
    title: 'Fan-out',
    sentTo: (endpoints: number) => `Sent to ${plural(endpoints, 'endpoint')}`,
    delivered: (deliveries: number) => `${count(deliveries)} delivered`,
    pending: (deliveries: number) => `${count(deliveries)} pending`,
    failed: (deliveries: number) => `${count(deliveries)} failed`,
    skipped: (deliveries: number) => `${count(deliveries)} skipped`,
    counted: (deliveries: number) => `among the newest ${count(deliveries)}`,
    next: "Open a delivery to resend it, or recover many at once from their endpoint's page.",
  },
  unmatched: {
    title: 'No endpoint matched this event, so nothing was sent',
    when: 'Events are matched when they happen. Endpoints created or changed later do not receive them.',
    checked: (endpoints: number) => `Only the newest ${count(endpoints)} endpoints were checked.`,
    ofService: (service: string) => `Endpoints of the service ${service}`,
    others: (type: string) => `Other ${type} events without an endpoint`,
    noEndpoint: (service: string) => `There is no endpoint of the service ${service}.`,
    otherTypes: (endpoints: number, service: string, type: string) =>
      `${plural(endpoints, 'endpoint')} of ${service} ${form(endpoints, 'does', 'do')} not subscribe to ${type}.`,
    otherSubjects: (endpoints: number, subject: string) =>
      `${plural(endpoints, 'endpoint subscribes', 'endpoints subscribe')} to it for certain stores or structures only, not ${subject}.`,
    noSubject: (endpoints: number) =>
      `${plural(endpoints, 'endpoint subscribes', 'endpoints subscribe')} to it for certain stores or structures only, and this event has no subject.`,
    filtered: (endpoints: number) =>
      `${plural(endpoints, 'endpoint subscribes', 'endpoints subscribe')} to it, but ${form(endpoints, 'its filter', 'their filters')} did not let it through.`,
    matchingNow: (endpoints: number) => `${plural(endpoints, 'endpoint')} would match such an event now.`,
  },
};
