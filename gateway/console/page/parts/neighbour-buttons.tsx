import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useLocation } from 'wouter';
import { useNeighbours } from '../lib/neighbours.ts';
import { text } from '../texts/shared.ts';
import { IconChevronLeft, IconChevronRight } from './icons/tabler.ts';

/** Buttons to the previous and next row of the last list. Shows nothing if the page was not opened from a list. */
export function NeighbourButtons({ what }: { what: keyof typeof text.parts.neighbours }) {
  const { previous, next } = useNeighbours();
  const [, navigate] = useLocation();
  if (previous === undefined && next === undefined) return null;
  const buttons = [
    { label: text.parts.neighbours[what].previous, href: previous, Icon: IconChevronLeft },
    { label: text.parts.neighbours[what].next, href: next, Icon: IconChevronRight },
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
