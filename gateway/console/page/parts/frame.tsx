import { Anchor, Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { LongText } from './long-text.tsx';
import { Offline } from './offline.tsx';

interface FrameProps {
  title: string;
  /** Shown beside the title. */
  beside?: ReactNode;
  /** The page's buttons. */
  actions?: ReactNode;
  /** The list that this page's row belongs to. */
  from?: { href: string; label: string };
  children: ReactNode;
}

/** The heading, buttons and browser title of a page. */
export function Frame({ title, beside, actions, from, children }: FrameProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 200)} · Passerelle`;
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
            <Box miw={0}>
              <LongText
                text={title}
                within={(shown) => (
                  <Title order={1} size="h3" className="break-anywhere">
                    {shown}
                  </Title>
                )}
              />
            </Box>
            {beside}
          </Group>
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <Offline />
      {children}
    </Stack>
  );
}
