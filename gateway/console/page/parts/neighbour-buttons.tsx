import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useNeighbours } from '../lib/neighbours.ts';

/** Goes to the one before and the one after in the list that one came from; nothing where one came from nowhere. */
export function Between({ what }: { what: string }) {
  const { previous, next } = useNeighbours();
  const [, navigate] = useLocation();
  if (previous === undefined && next === undefined) return null;
  const ways = [
    { label: `Previous ${what} of the list (p)`, href: previous, Icon: IconChevronLeft },
    { label: `Next ${what} of the list (n)`, href: next, Icon: IconChevronRight },
  ];
  return (
    <Group gap={4}>
      {ways.map(({ label, href, Icon }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={label}
            disabled={href === undefined}
            onClick={() => href !== undefined && navigate(href)}
          >
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
