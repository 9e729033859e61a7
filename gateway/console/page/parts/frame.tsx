import { Anchor, Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';

interface FrameProps {
  title: string;
  /** Stands beside the title. */
  beside?: ReactNode;
  /** What can be done here. */
  actions?: ReactNode;
  /** Where this page is one of many: the list it belongs to. */
  from?: { href: string; label: string };
  children: ReactNode;
}

/** What every page has: a heading, what can be done, and a title in the browser's tab. */
export function Frame({ title, beside, actions, from, children }: FrameProps) {
  useEffect(() => {
    document.title = `${title} · Passerelle`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box miw={0}>
          {from && (
            <Anchor component={Link} href={from.href} size="sm">
              ← {from.label}
            </Anchor>
          )}
          <Group gap="sm" wrap="nowrap">
            <Title order={1} size="h3" className="break-anywhere">
              {title}
            </Title>
            {beside}
          </Group>
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
