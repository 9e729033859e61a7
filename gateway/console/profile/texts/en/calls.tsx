import type { ReactNode } from 'react';
import { count } from '../../../page/lib/format.ts';
import { calls as shared } from '../../../page/texts/en/calls.tsx';

export const calls = {
  ...shared,
  list: 'Your calls, newest first',
  call: 'Call',
  all: 'Calls',
  none: {
    title: 'No calls yet',
    next: (docs: ReactNode): ReactNode => <>Your calls to the API are recorded here, refused ones too. Try one at {docs}.</>,
  },
  notListed: 'Calls with a wrong credential, and calls of unknown paths, are not listed: the gateway cannot tell whose they are.',
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
