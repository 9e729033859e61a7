import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, messageOf, wordsOf } from '../lib/api.ts';
import { focusQuickSearch } from '../lib/quick-search.ts';
import { text } from '../texts/shared.ts';
import { IconAlertTriangle, IconMapPinOff } from './icons/tabler.ts';

const texts = text.parts.problem;

export const Problem = ({ title, next }: { title: string; next?: ReactNode }) => (
  <Alert color="red" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
    {next}
  </Alert>
);

/** Nothing is at this address. Trying again does not help, so it offers the way back and the search. */
export function NotFound({ title, message = texts.advice }: { title: string; message?: ReactNode }) {
  const [location] = useLocation();
  const list = listPages.find((name) => location.startsWith(`/${name}/`));
  return (
    <Alert color="gray" icon={<IconMapPinOff size={18} />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break-anywhere">
          {message}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => history.back()}>
            {texts.back}
          </Button>
          {list && (
            <Button size="xs" variant="default" component={Link} href={`/${list}`}>
              {texts.lists[list]}
            </Button>
          )}
          <Button size="xs" variant="default" component={Link} href="/">
            {texts.overview}
          </Button>
          <Button size="xs" variant="default" onClick={focusQuickSearch}>
            {texts.search}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const listPages = ['deliveries', 'events', 'endpoints', 'calls'] as const;

/** A failed request, with a button to try again. */
export function Failure({ error, retry }: { error: Error; retry?: (() => unknown) | undefined }) {
  if (error instanceof ApiError && error.status === 404) return <NotFound title={texts.notFound} message={messageOf(error)} />;
  // A refusal of one field often repeats its detail in the message.
  const details =
    error instanceof ApiError
      ? error.details.filter(({ message }) => error.isServerText && !error.message.includes(message))
      : [];
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={titleOf(error)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {details.map((detail) => (
          <Text key={`${detail.field} ${detail.message}`} size="sm">
            {texts.field(detail.field, wordsOf(detail))}
          </Text>
        ))}
        {retry && (
          <Button size="xs" variant="light" color="red" onClick={() => retry()}>
            {texts.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(error: Error): string {
  if (!(error instanceof ApiError)) return texts.console;
  if (error.status === 0) return texts.unreachable;
  return texts.refused(error.status, error.code);
}
