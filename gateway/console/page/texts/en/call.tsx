import { count } from '../../lib/format.ts';

export const call = {
  title: 'Call',
  all: 'Calls',
  copyCurl: 'Copy as curl',
  facts: {
    time: 'Time',
    duration: 'Duration',
    api: 'API',
    operation: 'Operation',
    caller: 'Caller',
    address: 'IP address',
    id: 'Id',
  },
  noOperation: 'none',
  noCaller: 'not identified',
  request: { title: 'Request', headers: 'Request headers', body: 'Request body' },
  response: { title: 'Response', headers: 'Response headers', body: 'Response body' },
  redacted: 'Secrets are not recorded. In the curl command, replace YOUR_TOKEN and YOUR_SECRET.',
  noMessage: 'The response has no message.',
  sameError: 'All calls with this error',
  similar: {
    title: 'Similar calls',
    caller: 'Same caller',
    operation: 'Same operation',
    around: 'Calls within 30 s',
  },
  caused: { title: 'Events that this call caused', event: 'Caused' },
  limit: {
    none: 'This call had no limit.',
    refusedBy: (limit: string) => (
      <>
        <b>Refused by the limit</b> {limit}
      </>
    ),
    nearest: (limit: string) => (
      <>
        <b>Nearest limit:</b> {limit}
      </>
    ),
    left: (remaining: number, limit: number, reset: string) =>
      `${count(remaining)} of ${count(limit)} left, resets ${reset} later`,
    leftOf: (name: string, remaining: number, limit: number) => `${name}: ${count(remaining)} of ${count(limit)} left`,
    ofCaller: (caller: string) => `Limits of ${caller}`,
  },
};
