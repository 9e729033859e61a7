import type { ReactNode } from 'react';

export const partners = {
  kinds: { account: 'account', user: 'user' },
  inactive: 'inactive',
  filter: { label: 'Partner', placeholder: 'part of a name' },
  owner: {
    label: 'Owner',
    help: 'The account or user that it belongs to. It receives only what its owner may see. Empty: the operator.',
    placeholder: 'part of a name',
    nobody: (name: string) => `No account or user has “${name}” in its name.`,
    none: 'There are no accounts or users yet.',
    searching: 'Searching …',
    more: 'More match: give more of the name.',
  },
  /** Why a list that is filtered by a name is empty. */
  noMatch: {
    nobody: (name: string) => `No account or user has “${name}” in its name.`,
    elsewhere: {
      calls: 'The names of tokens were searched too.',
      deliveries: 'The names of stores and structures were searched too.',
      endpoints: 'The names of stores and structures were searched too.',
      events: 'The names of stores and structures were searched too.',
    },
    known: (names: string, more: boolean) =>
      `Found by this name: ${names}${more ? ' and others' : ''}. The list has nothing of theirs with these filters.`,
    inactive: (names: string) => `Not active, so nothing is sent to their endpoints: ${names}.`,
  },
  rows: {
    label: 'Show',
    endpoints: 'endpoints',
    deliveries: 'deliveries',
    calls: 'calls',
  },
  links: {
    title: 'Links to the profile',
    open: 'Profile link',
    of: (name: string) => `Profile of ${name}`,
    about:
      'A link signs the partner in to its profile once, without a credential. Whoever opens it first is signed in: send it to the partner only.',
    empty: 'No links in the last day. Create one, and send it to the partner.',
    create: 'Create link',
    created: 'The link was created.',
    secret: (name: string) => `the link for ${name}`,
    expires: 'It can be opened for',
    expiresHelp: 'The session that it opens lasts as long as any other.',
    lifetimes: { 15: '15 minutes', 60: '1 hour', 480: '8 hours', 1440: '1 day', 10080: '7 days' },
    readOnly: 'For reading only',
    readOnlyHelp: 'The session is refused every change.',
    state: 'State',
    used: (at: ReactNode): ReactNode => <>opened {at}</>,
    usable: (until: ReactNode): ReactNode => <>usable until {until}</>,
    ended: 'expired or revoked',
    reading: 'for reading only',
    by: 'Made by',
    revocation: 'The link opens nothing any more, and the session that it opened ends at once.',
    wasRevoked: 'The link was revoked, and its session has ended.',
  },
};
