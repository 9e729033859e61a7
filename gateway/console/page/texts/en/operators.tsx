import type { ReactNode } from 'react';

export const operators = {
  title: 'Operators',
  builtIn: {
    title: 'The built-in operator is not in this list',
    text: (name: ReactNode) => (
      <>
        Its credential is the token that the gateway printed at its first start, or the setting OPERATOR_TOKEN. It always works,
        so nobody can be locked out. Records call it {name}.
      </>
    ),
    isYou: 'You are signed in with it.',
    advice: 'Give each person their own credential instead: records then show who did what, and you can deactivate it.',
  },
  list: 'Operators and viewers',
  description:
    'Operators and viewers sign in here, or send their credential as a bearer token to the manage API. Changing the role or deactivating ends their sessions.',
  empty: 'Create one for each person who works with this gateway.',
  role: { viewer: 'viewer', operator: 'operator' },
  you: (name: string) => `${name} (you)`,
  columns: { name: 'Name', role: 'Role', state: 'State', used: 'Last used', made: 'Made' },
  facts: { role: 'Role', state: 'State', used: 'Last used', created: 'Created', calls: 'Calls', id: 'Id' },
  neverUsed: 'never',
  theirChanges: 'their changes',
  fields: {
    name: 'Name',
    role: 'Role',
    roleHelp: 'Operators may do everything. Viewers may only read.',
  },
  create: 'New operator',
  created: (name: string) => `${name} was created.`,
  credentialOf: (name: string) => `the credential of ${name}`,
  edit: 'Edit',
  hasRole: {
    viewer: (name: string) => `${name} is a viewer.`,
    operator: (name: string) => `${name} is an operator.`,
  },
  rotate: 'Rotate credential',
  rotation: ['The current credential and its sessions end at once.', 'The new credential is shown once, to you.'],
  rotated: (name: string) => `${name} has a new credential.`,
  newCredentialOf: (name: string) => `the new credential of ${name}`,
  deactivate: 'Deactivate',
  deactivation: ['Their sessions end at once, and their credential is refused.', 'You can activate them again.'],
  deactivated: (name: string) => `${name} is no longer active.`,
  activate: 'Activate',
  activated: (name: string) => `${name} is active again, with the same credential.`,
};
