import type { ReactNode } from 'react';

export const webhooks = {
  title: 'Webhooks',
  list: 'Your endpoints, newest first',
  about: 'An endpoint is a URL of yours. The gateway sends it the events that you choose, signed.',
  create: 'Add an endpoint',
  none: {
    title: 'No endpoints yet',
    next: 'Write a receiver, or paste a sample from below. Then add its URL and verify it: from then on it receives your events.',
  },
  columns: { endpoint: 'Endpoint', state: 'State', events: 'Events', created: 'Created' },
  allEvents: 'all',
  form: {
    subjects: { account: 'Stores', user: 'Structures' },
    changedUrl: 'Another URL must be verified again before events are sent to it.',
  },
  verify: {
    title: 'This endpoint is not verified yet',
    why: 'It receives no events before it has accepted a signed test event. Start your receiver with the secret, then verify.',
    button: 'Verify now',
    again: 'Verify again',
    waiting: 'Sending a signed test event and waiting for the answer …',
    done: 'The endpoint is verified. It receives your events from now on.',
    failed: 'The endpoint is not verified',
    noAttempt: 'No attempt ended in time: the gateway is busy, or the endpoint was changed. Verify again in a minute.',
    gone: 'The receiver answered 410 Gone: it wants no deliveries. A verification needs an answer of 2xx. Mend that and verify again.',
    redirect: (status: number) =>
      `The receiver answered ${status}, a redirect, which is never followed. Set the URL to the final address, or mend the receiver. Then verify again.`,
    unreached: (why: ReactNode): ReactNode => (
      <>The receiver could not be reached as it must be: {why}. Mend that and verify again.</>
    ),
    refused: (status: number, compare: ReactNode): ReactNode => (
      <>
        The receiver answered {status} instead of 2xx. If it refused the signature, {compare} finds out why. Then verify again.
      </>
    ),
    response: 'Response',
    delivery: 'Show the delivery',
  },
  samples: {
    title: 'A receiver, ready to paste',
    about: 'A whole program that verifies signatures and answers. It reads the secret of the endpoint from SECRET.',
    language: 'Language',
    code: (name: string) => `Receiver in ${name}`,
  },
  deliveries: 'Its deliveries',
};
