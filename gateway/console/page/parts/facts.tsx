import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list of names and values. */
export function Facts({ of: facts }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
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
}
