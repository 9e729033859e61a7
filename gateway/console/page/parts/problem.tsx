import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconMapPinOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../lib/api.ts';
import { focusQuickSearch } from '../lib/quick-search.ts';

/** A problem and what to do next. */
export function Problem({ title, next }: { title: string; next?: ReactNode }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      {next}
    </Alert>
  );
}

/** Nothing is at this address. Trying again does not help, so it offers the way back and the search. */
export function NotFound({ title, message = advice }: { title: string; message?: string }) {
  const [location] = useLocation();
  const list = listPages.find(({ path }) => location.startsWith(`${path}/`));
  return (
    <Alert color="gray" variant="light" icon={<IconMapPinOff size={18} />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break-anywhere">
          {message}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => history.back()}>
            Go back
          </Button>
          {list && (
            <Button size="xs" variant="default" component={Link} href={list.path}>
              {list.words}
            </Button>
          )}
          <Button size="xs" variant="default" component={Link} href="/">
            Overview
          </Button>
          <Button size="xs" variant="default" onClick={focusQuickSearch}>
            Search for an id or a text
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const advice = 'The address may be misspelt, or the page may have been removed.';

const listPages = [
  { path: '/deliveries', words: 'All deliveries' },
  { path: '/events', words: 'All events' },
  { path: '/endpoints', words: 'All endpoints' },
  { path: '/calls', words: 'All calls' },
];

/** A failed request, with a button to try again. */
export function Failure({ error, retry }: { error: Error; retry?: (() => unknown) | undefined }) {
  if (error instanceof ApiError && error.status === 404) return <NotFound title="Not found" message={error.message} />;
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
  return `The gateway refused the request (${error.status}, ${error.code})`;
}
