import { Badge } from '@mantine/core';
import { stateOfCredential } from '../lib/credentials.ts';
import { text } from '../texts/index.ts';

const colours = { active: 'teal', revoked: 'gray', expired: 'gray' } as const;

/** Whether a token or a key can be used now. */
export function CredentialState({ of }: { of: Parameters<typeof stateOfCredential>[0] }) {
  const state = stateOfCredential(of);
  return (
    <Badge variant="dot" color={colours[state]}>
      {text.credentials.states[state]}
    </Badge>
  );
}
