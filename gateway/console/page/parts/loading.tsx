import { Skeleton, Stack } from '@mantine/core';

/** A placeholder while data is loading. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <Skeleton key={line} h={18} />
      ))}
    </Stack>
  );
}
