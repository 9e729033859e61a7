import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [string, ReactNode];

/** A list of names and values. */
export const Facts = ({ of: facts }: { of: readonly Fact[] }) => (
  <Box component="dl" className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <Text component="dt" size="xs" c="dimmed">
          {name}
        </Text>
        <Text component="dd" size="sm" m={0}>
          {value}
        </Text>
      </div>
    ))}
  </Box>
);
