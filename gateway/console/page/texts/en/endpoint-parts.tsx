import type { ReactNode } from 'react';
import { count, form, plural } from '../../lib/format.ts';

/** How a filter judges the newest events, as the API has it. */
interface FilterMatches {
  events: number;
  matched: number;
  unmatched: { event_id: string; event_type: string; path: string; condition?: unknown; value?: unknown } | null;
}

/** What can be done with an endpoint, here and in the profile of partners. */
export const endpointParts = {
  sendTest: 'Send test event',
  retryNow: 'Retry now',
  enable: 'Resume',
  enabled: 'The endpoint receives deliveries again.',
  more: 'More',
  edit: 'Edit',
  pause: {
    label: 'Pause',
    title: 'Pause this endpoint?',
    consequences: [
      'Nothing is sent to it until it is resumed.',
      'Pending deliveries and new ones become skipped.',
      'Use “Retry now” later to send the skipped deliveries.',
    ],
    done: 'The endpoint is paused. Nothing is sent to it.',
  },
  remove: {
    label: 'Remove',
    title: 'Remove this endpoint permanently?',
    consequences: [
      'This cannot be undone. A new endpoint for the same URL gets a new secret.',
      'Its pending deliveries become skipped (endpoint_deleted) and can no longer be sent.',
      'Its deliveries and their attempts are kept.',
    ],
    done: (skipped: number) =>
      `The endpoint was removed. ${plural(skipped, 'pending delivery was', 'pending deliveries were')} skipped.`,
  },
  state: {
    /** What each state that needs attention means, and what to do. */
    advice: {
      held: {
        title: 'Deliveries to this endpoint are on hold',
        next: 'Nothing is lost. See why it fails, fix the receiver and retry now. One success ends the hold.',
      },
      probing: {
        title: 'One delivery is testing whether it works again',
        next: 'If it succeeds, the waiting deliveries are sent.',
      },
      failing: {
        title: 'The last attempts failed',
        next: 'Each delivery is retried on its schedule. See the errors below, fix the receiver and retry now.',
      },
      blocked: {
        title: 'Dead letters block deliveries',
        next: 'They are not retried by themselves. Fix the receiver and resend what blocks, the oldest first, or skip it. Then those behind it are sent.',
      },
      paused: {
        title: 'The endpoint is paused',
        next: 'Its deliveries are skipped. Resume it, then retry the skipped deliveries.',
      },
      unverified: {
        title: 'The endpoint is not verified',
        next: 'Its owner verifies it with a test event. Resuming it vouches for its receiver instead.',
      },
      disabled: {
        title: 'The endpoint is disabled',
        next: 'Its deliveries are skipped. Fix the receiver, resume the endpoint, send a test event, then retry the skipped deliveries.',
      },
    },
    onlyOperator: 'Its deliveries are skipped. Only an operator can resume it: ask them.',
    endHold: 'End the hold now',
    showBlocking: 'Show what blocks',
  },
  settings: {
    title: 'Settings',
    id: 'Id',
    service: 'Service',
    owner: 'Owner',
    description: 'Description',
    types: 'Event types',
    allTypes: 'all of the service',
    subjects: 'Stores or structures',
    allSubjects: 'all',
    filter: 'Filter on the payload',
    credentials: 'Asked for by the receiver',
    noCredentials: 'nothing but the signature',
    basicAs: (name: string) => `user ${name}`,
    noFilter: 'none',
    inFlight: 'Concurrent attempts',
    defaultInFlight: 'default',
    perSecond: 'Attempts per second',
    unlimited: 'no limit',
    retryFor: 'Retries',
    bySchedule: 'by the schedule',
    hours: (count: number) => `for ${count} h`,
    ordered: 'In order',
    orderings: { endpoint: 'yes, one at a time', subject: 'yes, by store or structure' },
    blocking: 'what blocks others',
    notOrdered: 'no',
    created: 'Created',
    changed: 'Changed',
  },
  filterMatches: ({ events, matched, unmatched }: FilterMatches) => {
    if (events === 0) return 'There is no recent event to compare it with.';
    const share = `${count(matched)} of the last ${plural(events, 'event')} ${form(matched, 'meets', 'meet')} it.`;
    if (!unmatched) return share;
    const { event_id, event_type, path, condition, value } = unmatched;
    const has = value === undefined ? 'nothing' : JSON.stringify(value);
    return `${share} Not ${event_type} ${event_id}: ${path || 'its payload'} is ${has}, and the filter wants ${JSON.stringify(condition)}.`;
  },
  secrets: {
    title: 'Signing secrets',
    table: 'Which secret signs which header',
    secret: 'Secret',
    since: (time: ReactNode) => <>since {time}</>,
    until: (time: ReactNode) => <>until {time}</>,
    from: (time: ReactNode) => <>from {time}</>,
    test: 'Test the new secret',
  },
  rotate: {
    open: 'Rotate secret',
    title: 'Rotate the signing secret',
    close: 'Close',
    copied: 'I have copied it',
    overlap:
      'During the overlap both secrets sign webhook-signature. X-SERVICE-Signature has room for one signature: it keeps the old secret until the overlap ends. So the receiver should know the new one by then.',
    hours: {
      label: 'Old secret keeps signing for (hours)',
      description: '0 to 168. Use 0 if it leaked: then the new secret signs every header at once.',
    },
    cancel: 'Cancel',
    create: 'Create new secret',
    leaving: {
      title: 'Have you copied the secret?',
      why: 'It is not shown again. Without it the receiver will reject deliveries.',
      stay: 'Show it',
      leave: 'Yes, close',
    },
    next: 'Give the receiver this secret beside the old one. “Test the new secret” shows whether it knows it. Remove the old secret from the receiver when it has ended.',
    nextAtOnce: 'The new secret signs every header from now on. The old one no longer signs anything.',
  },
  test: {
    title: 'Send a test event',
    about:
      "The event is sent to this endpoint only, at once. It is signed and recorded like any other. Its data must match the event's schema.",
    inactive: 'The endpoint is not active, so nothing can be sent to it',
    type: 'Event type',
    data: 'Data',
    notJson: (message: ReactNode) => <>This is not valid JSON: {message}</>,
    newSecret: 'Test the new secret: only it signs this event.',
    reset: 'Reset to example',
    send: 'Send',
    sendAnother: 'Send another',
    waitsInTurn: 'Waiting in turn …',
    waits: 'Waiting for the response …',
    delivered: 'Test event delivered',
    failed: 'Test event failed',
    attempt: (number: number) => `attempt ${number}`,
    attemptTook: (number: number, took: string) => `attempt ${number}, ${took}`,
    nextAttempt: (fromNow: ReactNode) => <>Next attempt: {fromNow}</>,
    response: 'Response',
    show: 'Show the delivery',
  },
};
