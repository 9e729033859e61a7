import type { ReactNode } from 'react';
import { plural } from '../../../page/lib/format.ts';

export const you = {
  title: 'You',
  menu: 'Your account',
  kinds: { account: 'Point-of-sale account', user: 'User of social cohesion' },
  credentials: { key: 'an API key', token: 'an access token', link: 'a link' },
  readOnly: {
    title: 'This session may only read',
    next: 'To change something, sign in with your own credential, or ask the operator for another link.',
  },
  who: 'Who you are',
  name: 'Name',
  kind: 'Kind',
  id: 'Id',
  role: 'Role',
  signedInWith: 'Signed in with',
  sessionEnds: 'Session ends',
  atFraction: (at: ReactNode, ago: ReactNode): ReactNode => (
    <>
      {at} ({ago})
    </>
  ),
  stores: 'Stores',
  structures: 'Structures',
  all: 'all',
  none: 'none',
  plan: 'Plan',
  use: {
    title: 'Use of your limits',
    none: 'No calls in the last 24 hours, so nothing is used.',
    notLimited: 'No limit counted your calls of the last 24 hours.',
    plan: (calls: number | null, seconds: number) =>
      calls === null ? 'Your plan has no limit.' : `Your plan allows ${plural(calls, 'call')} in ${seconds} seconds.`,
    caller: (name: string) => `Token ${name}`,
    days: 'Calls by day',
    day: 'Day (UTC)',
    calls: 'Calls',
    refused: 'Refused by a limit',
    noCalls: 'No calls yet. Your calls to the API are counted here.',
  },
};
