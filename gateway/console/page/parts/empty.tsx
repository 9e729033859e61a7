import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type FilterValues, useFilters } from '../lib/filters.ts';
import { text } from '../texts/shared.ts';

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** A button for what to do next, or a command. */
  action?: ReactNode;
}

/** An empty list: what it will show, or why it shows nothing, and what to do next. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <Stack gap={4} maw={640} py="lg" align="flex-start">
    <Text fw={600}>{title}</Text>
    {children && (
      <Text size="sm" c="dimmed" component="div" className="empty">
        {children}
      </Text>
    )}
    {action && <div className="empty-action">{action}</div>}
  </Stack>
);

/** A list that no row matches. `filters` are those that its button removes. */
export function NothingMatches({ filters, ...empty }: Omit<EmptyProps, 'action'> & { filters: FilterValues }) {
  const [, change] = useFilters();
  const remove = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])));
  return (
    <Empty
      {...empty}
      action={
        <Button size="xs" variant="default" onClick={remove}>
          {text.parts.filters.removeAll}
        </Button>
      }
    />
  );
}
