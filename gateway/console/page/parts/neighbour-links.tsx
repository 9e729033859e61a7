import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNeighbours } from './neighbours.ts';

/** Leads to the rows before and after in the list that one came from; absent where one came from elsewhere. */
export function NeighbourLinks() {
  const { previous, next } = useNeighbours();
  if (previous === undefined && next === undefined) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <Step href={previous} label="Previous (p)">
        <IconChevronLeft size={16} />
      </Step>
      <Step href={next} label="Next (n)">
        <IconChevronRight size={16} />
      </Step>
    </Group>
  );
}

function Step({ href, label, children }: { href: string | undefined; label: string; children: ReactNode }) {
  if (href === undefined)
    return (
      <Button size="xs" variant="default" disabled aria-label={label}>
        {children}
      </Button>
    );
  return (
    <Button size="xs" variant="default" component={Link} href={href} aria-label={label} title={label}>
      {children}
    </Button>
  );
}
