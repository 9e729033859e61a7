import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { text } from '../texts/shared.ts';

/** A secret that cannot be shown again: the gateway keeps it encrypted or hashed. */
export const SecretOnce = ({ what, children }: { what: string; children: ReactNode }) => (
  <Alert color="yellow" title={text.parts.secret.copyNow(what)}>
    <Text size="sm" mb="xs">
      {text.parts.secret.shownOnce}
    </Text>
    {children}
  </Alert>
);
