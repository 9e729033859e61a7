import { count } from '../../lib/format.ts';

export const endpoints = {
  title: 'Endpoints',
  list: 'Endpoints, newest first',
  create: 'New endpoint',
  period: 'Figures are of the last hour and update live. Dead letters include those recovered since.',
  noMatch: { title: 'No matching endpoints', next: 'Remove a filter.' },
  none: {
    title: 'No endpoints yet',
    next: 'An endpoint is a URL of yours that receives events as signed webhooks. Create one with “New endpoint”, then send it a test event.',
  },
  filters: {
    text: { label: 'URL or description', placeholder: 'part of it (/)' },
    service: 'Service',
    state: 'State',
  },
  states: { ok: 'active', held: 'held or probing', disabled: 'paused or disabled' },
  columns: {
    endpoint: 'Endpoint',
    state: 'State',
    success: 'Success',
    latency: 'p50 / p95',
    pending: 'Pending',
    dead: 'Dead letters',
    lastHour: 'Last hour',
  },
  inFlight: (deliveries: number) => `${count(deliveries)} in flight`,
  attempts: (succeeded: number, failed: number) =>
    `${count(succeeded)} attempts succeeded and ${count(failed)} failed in the last hour`,
};
