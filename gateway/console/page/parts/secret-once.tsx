import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A secret that cannot be shown again: the gateway keeps it encrypted or hashed. */
export function SecretOnce({ what, children }: { what: string; children: ReactNode }) {
  return (
    <Alert color="yellow" title={`Copy ${what} now`}>
      <Text size="sm" mb="xs">
        It is not shown again.
      </Text>
      {children}
    </Alert>
  );
}
