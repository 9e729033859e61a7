import { Center, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconMoodEmpty } from './icons/tabler.ts';

/** An empty list: the reason, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={460}>
        <ThemeIcon variant="light" color="gray" size="xl" radius="xl" aria-hidden>
          <IconMoodEmpty />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text size="sm" c="dimmed" ta="center" component="div">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
