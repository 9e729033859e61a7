import type { ReactNode } from 'react';
import { plural } from '../../lib/format.ts';

export const calls = {
  title: 'Calls',
  list: 'Calls, newest first',
  noMatch: { title: 'No matching calls', next: 'Remove a filter, or choose a longer time.' },
  none: {
    title: 'No calls yet',
    next: (docs: ReactNode): ReactNode => (
      <>
        Every call to the APIs is recorded here with its request and response, including refused calls. Try an operation at {docs}
        .
      </>
    ),
  },
  lost: {
    title: (calls: number) => `${plural(calls, 'call')} not recorded`,
    why: 'The recorder was overloaded and dropped them, counted since the gateway started.',
  },
  filters: {
    text: { label: 'Text in path or body', placeholder: 'a reference, an id … (/)' },
    status: 'Status',
    statuses: { '2xx': 'succeeded', '4xx': 'refused', '5xx': 'failed' },
    time: 'Time',
    api: 'API',
    errorCode: 'Error code',
    operation: 'Operation',
    caller: 'Caller',
    address: 'IP address',
    method: 'Method',
    limit: 'Limit',
    refused: 'refused',
  },
  columns: {
    time: 'Time',
    call: 'Call',
    status: 'Status',
    error: 'Error',
    operation: 'Operation',
    caller: 'Caller',
    duration: 'Duration',
    limitLeft: 'Limit left',
  },
  noLimit: 'no limit',
  used: (limit: string, share: string) => `${limit}: ${share} used`,
};
