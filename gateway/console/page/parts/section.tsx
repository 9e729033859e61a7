import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** Shown at the end of the heading's line. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading. */
export const Section = ({ title, beside, children }: SectionProps) => (
  <Paper withBorder p="sm" component="section" aria-label={title} miw={0}>
    <Group justify="space-between" mb="xs" gap="xs">
      <Title order={2} size="h6">
        {title}
      </Title>
      {beside}
    </Group>
    {children}
  </Paper>
);
