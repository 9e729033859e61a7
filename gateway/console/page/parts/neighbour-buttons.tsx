import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useNeighbours } from '../lib/neighbours.ts';

/** Buttons to the previous and next row of the last list. Shows nothing if the page was not opened from a list. */
export function NeighbourButtons({ what }: { what: string }) {
  const { previous, next } = useNeighbours();
  const [, navigate] = useLocation();
  if (previous === undefined && next === undefined) return null;
  const buttons = [
    { label: `Previous ${what} in the list (p)`, href: previous, Icon: IconChevronLeft },
    { label: `Next ${what} in the list (n)`, href: next, Icon: IconChevronRight },
  ];
  return (
    <Group gap={4}>
      {buttons.map(({ label, href, Icon }) => (
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
