import type { ReactNode } from 'react';
import { count } from '../../../page/lib/format.ts';

export const calls = {
  title: 'Calls',
  list: 'Your calls, newest first',
  call: 'Call',
  all: 'Calls',
  none: {
    title: 'No calls yet',
    next: (docs: ReactNode): ReactNode => <>Your calls to the API are recorded here, refused ones too. Try one at {docs}.</>,
  },
  notListed: 'Calls with a wrong credential, and calls of unknown paths, are not listed: the gateway cannot tell whose they are.',
  noMatch: { title: 'No matching calls', next: 'Remove a filter, or choose a longer time.' },
  filters: {
    q: 'Text in path or body',
    qExample: 'a reference, an id … (/)',
    status: 'Status',
    statuses: { '2xx': 'succeeded', '4xx': 'refused', '5xx': 'failed' },
    time: 'Time',
    errorCode: 'Error code',
    operation: 'Operation',
    limited: 'Limit',
    refused: 'refused',
  },
  columns: { time: 'Time', call: 'Call', status: 'Status', error: 'Error', operation: 'Operation', duration: 'Duration' },
  facts: { time: 'Time', duration: 'Duration', operation: 'Operation', token: 'Access token', address: 'IP address', id: 'Id' },
  noOperation: 'none: nothing is at this address',
  limit: (name: string, remaining: number, limit: number) => `${name}: ${count(remaining)} of ${count(limit)} left`,
  refusal: {
    section: (section: string) => `The document, section “${section}”:`,
    gap: 'Where the document is silent',
    works: 'A request that works',
    replace: 'Replace $TOKEN and the ids with your own.',
    noMessage: 'The reply has no message.',
  },
  request: { title: 'Request', headers: 'Request headers', body: 'Request body' },
  response: { title: 'Response', headers: 'Response headers', body: 'Response body' },
  copyCurl: 'Copy as curl',
  redacted: 'Secrets are not kept in records: replace YOUR_TOKEN and YOUR_SECRET in the command with your own.',
};
