import type { ReactNode } from 'react';

export const story = {
  title: 'Story',
  search: 'An id, a reference, an idempotency key, or any text of a call or an event',
  show: 'Show its story',
  start: 'What happened to a sale?',
  startHow: 'Enter its reference or id. The id of a call (x-request-id), an event (webhook-id) or a delivery works too.',
  nothing: 'Nothing found',
  nothingHow: 'No call and no event has this id or text. Upper and lower case matter.',
  nothingSoFar: 'No call and no event has this id or text so far. Upper and lower case matter.',
  cut: 'This is not all of it',
  cutHow: 'There are more events, deliveries or attempts than a story shows.',
  listDeliveries: 'List the deliveries',
  further: 'Search further back',
  axis: {
    label: 'What happened, in the order of time',
    afterFirst: 'After the first entry',
    call: 'Call',
    callNotKept: (id: ReactNode): ReactNode => <>Call {id} is no longer kept. Its changes are.</>,
    tookBy: (time: string, caller: string) => `${time}, by ${caller}`,
    event: 'Event',
    unwanted: 'no endpoint wants it',
    causedBy: (cause: string) => `caused by ${cause}`,
    delivery: 'Delivery',
    attempt: (number: number) => `Attempt ${number}`,
    tookManual: (time: string) => `${time}, asked for by an operator`,
  },
};
