import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';

/** A problem and what to do next. */
export function Problem({ title, next }: { title: string; next?: ReactNode }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      {next}
    </Alert>
  );
}

/** A failed request, with a button to try again. */
export function Failure({ error, retry }: { error: Error; retry?: (() => unknown) | undefined }) {
  // A refusal of one field often repeats its detail in the message.
  const details = error instanceof ApiError ? error.details.filter(({ message }) => !error.message.includes(message)) : [];
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={titleOf(error)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {details.map(({ field, message }) => (
          <Text key={`${field} ${message}`} size="sm">
            {field}: {message}
          </Text>
        ))}
        {retry && (
          <Button size="xs" variant="light" color="red" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'The console failed';
  if (error.status === 0) return 'The gateway cannot be reached';
  if (error.status === 404) return 'Not found';
  return `The gateway refused the request (${error.status}, ${error.code})`;
}
