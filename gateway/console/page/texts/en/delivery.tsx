import type { ReactNode } from 'react';
import { count } from '../../lib/format.ts';

export const delivery = {
  title: 'Delivery',
  deliveries: 'Deliveries',
  test: 'test',
  testMeans: 'A test event: nothing happened.',
  requestBody: 'Request body',
  attempt: (number: number) => `Attempt ${number}`,
  noAttempts: {
    yet: 'No attempts yet.',
    made: 'No attempts were made.',
    kept: 'Its attempts are no longer kept.',
  },
  now: 'now',
  in: (time: string) => `in ${time}`,

  summary: {
    nextAttempt: 'Next attempt',
    waitingInTurn: 'waiting in turn',
    delivered: 'Delivered',
    ended: 'Ended',
    to: (endpoint: ReactNode): ReactNode => <>To {endpoint}</>,
    deleted: (endpoint: string) => `${endpoint} (deleted)`,
    attempts: 'Attempts',
    lastResponse: 'Last response',
    owner: 'Owner',
    created: 'Created',
    delivery: 'Delivery',
    event: 'Event',
    allDeliveries: 'all deliveries',
    call: 'Call',
    deliveredAtFirst: (time: string) => `Delivered at the first attempt, ${time} after the event.`,
    deliveredAt: (attempt: number, time: string) => `Delivered at attempt ${attempt}, ${time} after the event.`,
  },

  timeline: {
    title: 'Timeline',
    happened: (event: string) => `${event} happened`,
    notKept: (last: number) => `Attempts 1 to ${last} are no longer kept.`,
    waited: (time: string) => `waited ${time}`,
    waitedBecause: (time: string, why: string) => `waited ${time} · ${why}`,
    delivered: 'delivered',
    manual: 'manual',
    nextAttempt: (when: ReactNode): ReactNode => <>Next attempt {when}</>,
    nextAttemptInTurn: 'Next attempt waiting in turn',
    notRetried: 'It is not retried.',
    inTurn: 'Waiting in turn: other deliveries to this endpoint go first.',
    asSoonAsPossible: 'The first attempt is made as soon as possible.',
    /** Of an attempt that was made late. Without a time, all of the wait. */
    late: (time: string | null) => (time ? `${time} of it after it was due.` : 'It was due at once.'),
    holdEnded: 'The endpoint worked again, so it was sent before its retry was due.',
    resent: 'Resent by an operator.',
  },

  details: {
    copyAsCurl: 'Copy as curl',
    sentTo: 'Sent to',
    address: 'Address',
    noAddress: 'none',
    connection: 'Connection',
    connections: { new: 'new', reused: 'reused', none: 'none' },
    secret: 'Signing secret',
    secrets: 'Signing secrets, newest first',
    response: 'Response',
    noResponse: 'No response.',
    responseBody: 'Response body',
    incomplete: 'Incomplete: the response was too long to keep, or ended early.',
    responseHeaders: 'Response headers',
    request: 'Request',
    bytes: (bytes: number) => `${count(bytes)} bytes, the same in every attempt`,
    requestHeaders: 'Request headers',
    bodyNotKept: 'The event and its body are no longer kept.',
  },

  phases: {
    label: (attempt: number) => `Phases of attempt ${attempt}`,
    none: 'No timings: nothing was sent.',
    total: 'Total',
    noResponse: 'request sent, no response',
    names: { dns: 'DNS', connect: 'Connect', tls: 'TLS', wait: 'Wait', body: 'Body', open: 'No connection' },
    meanings: {
      dns: 'address lookup',
      connect: 'TCP connection',
      tls: 'TLS handshake',
      wait: 'request sent, until the first byte of the response',
      body: 'rest of the response',
      open: 'no connection could be opened',
    },
  },

  resend: {
    label: 'Resend',
    title: 'Send this delivery again?',
    confirm: 'Send now',
    done: 'Sent again. The attempt will appear below.',
    sameRequest: 'The receiver gets the same webhook-id and the same body, with a new signature.',
    single: 'This makes one attempt. If it fails, the delivery is failed and is not retried.',
    pending: 'The next attempt is made now instead of at its scheduled time. Retries continue after it.',
    delivered: 'It was already delivered. A receiver that checks the webhook-id ignores the duplicate.',
    skipped: 'It has not been sent yet.',
  },

  skip: {
    label: 'Skip',
    title: 'Skip this delivery?',
    confirm: 'Skip it',
    done: 'Skipped. Those behind it are sent.',
    consequences: [
      'It becomes failed, and is not retried. You can send it again later.',
      'The deliveries behind it are sent. Their receiver sees the gap in webhook-previous-id.',
    ],
  },

  inOrder: {
    waits: (first: ReactNode, hasFailed: boolean): ReactNode => (
      <>
        It waits for {first}, which goes first{hasFailed ? ' and has failed: resend it, or skip it' : ''}.
      </>
    ),
    holdsBack: (waiting: number, more: boolean) =>
      `${count(waiting)}${more ? ' or more' : ''} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'} for it.`,
    skipped: (by: string, at: ReactNode): ReactNode => (
      <>
        Skipped by {by}, {at}. Those behind it were sent.
      </>
    ),
    operator: 'an operator',
    owner: 'the owner of the endpoint',
  },

  compare: {
    title: 'Compare with the receiver',
    intro: 'Does the receiver reject the signature? Paste what it received to see what is wrong and how to fix it.',
    open: 'Compare',
    close: 'Close',
    body: 'Raw body received',
    bodyHelp: 'Byte for byte. Empty: same as sent.',
    headers: 'Signature headers received',
    headersHelp: 'One per line, or only the signature. Empty: same as sent.',
    secret: "Receiver's secret (optional)",
    secretHelp: 'Used for this comparison only. It is not stored or recorded.',
    submit: 'Compare',
    submitWith: (attempt: number) => `Compare with attempt ${attempt}`,
  },

  diagnosis: {
    valid: 'The signature is valid',
    invalid: 'The signature does not match',
    fix: 'Fix in Node.js',
    compared: 'Compared',
    parts: { body: 'Body', headers: 'Headers', secret: 'Secret' },
    part: (name: ReactNode, result: ReactNode): ReactNode => (
      <>
        {name}: {result}
      </>
    ),
    same: 'same',
    different: 'different',
    notCompared: 'not compared',
    replay:
      'This signature does not cover the time, so the same request could be replayed. The webhook-signature header covers it.',
    proved: 'The mistake:',
    suspected: 'Likely:',
  },
};
