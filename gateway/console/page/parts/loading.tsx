import { Skeleton, Stack } from '@mantine/core';
import { text } from '../texts/shared.ts';

/** A placeholder while data is loading. */
export const Loading = ({ lines = 6 }: { lines?: number }) => (
  <Stack gap="sm" role="status" aria-label={text.parts.loading}>
    {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
      <Skeleton key={line} h={18} />
    ))}
  </Stack>
);
