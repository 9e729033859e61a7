import { Card, Group, type MantineColor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface FigureProps {
  label: string;
  value: ReactNode;
  /** What it is made of, or what it was before. */
  note?: ReactNode;
  /** The list behind the figure. */
  href: string;
  /** Where the figure wants somebody: red or yellow. */
  colour?: MantineColor | undefined;
}

/** One figure of the overview; it leads to the list behind it. */
export function Figure({ label, value, note, href, colour }: FigureProps) {
  return (
    <Card component={Link} href={href} withBorder padding="sm" className="figure" data-colour={colour}>
      <Text size="xs" c="dimmed" fw={600}>
        {label}
      </Text>
      <Group gap={6} align="baseline">
        <Text size="xl" fw={700} c={colour}>
          {value}
        </Text>
      </Group>
      {note && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Card>
  );
}
