import { call as shared } from '../../../page/texts/en/call.tsx';

export const call = {
  ...shared,
  facts: { ...shared.facts, token: 'Access token' },
  noOperation: 'none: nothing is at this address',
  refusal: {
    section: (section: string) => `The document, section “${section}”:`,
    gap: 'Where the document is silent',
    works: 'A request that works',
    replace: 'Replace $TOKEN and the ids with your own.',
  },
  redacted: 'Secrets are not kept in records: replace YOUR_TOKEN and YOUR_SECRET in the command with your own.',
};
