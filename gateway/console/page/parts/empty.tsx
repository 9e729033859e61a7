import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An empty list: what it will show, or why it shows nothing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={4} maw={520} py="lg">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" component="div" className="empty">
          {children}
        </Text>
      )}
    </Stack>
  );
}
