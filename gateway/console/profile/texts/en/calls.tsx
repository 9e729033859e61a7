import type { ReactNode } from 'react';
import { calls as shared } from '../../../page/texts/en/calls.tsx';

export const calls = {
  ...shared,
  list: 'Your calls, newest first',
  none: {
    title: 'No calls yet',
    next: (docs: ReactNode): ReactNode => <>Your calls to the API are recorded here, refused ones too. Try one at {docs}.</>,
  },
  notListed: 'Calls with a wrong credential, and calls of unknown paths, are not listed: the gateway cannot tell whose they are.',
};
