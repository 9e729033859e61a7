import { Card, Group, type MantineColor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Hint } from './hint.tsx';

interface FigureProps {
  label: string;
  value: ReactNode;
  /** A detail in small print. */
  note?: ReactNode;
  /** The list behind the figure. */
  href: string;
  /** Red or yellow if the figure needs attention. */
  colour?: MantineColor | undefined;
}

export const Figure = ({ label, value, note, href, colour }: FigureProps) => (
  <Card component={Link} href={href} withBorder padding="sm" className="figure" data-colour={colour}>
    <Hint size="xs">{label}</Hint>
    <Group gap={6} align="baseline">
      <Text size="xl" fw={600} c={colour}>
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
