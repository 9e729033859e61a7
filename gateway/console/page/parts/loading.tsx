import { Skeleton, Stack } from '@mantine/core';

/** Holds the place of what is on its way. */
export function Waiting({ lines = 6 }: { lines?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <Skeleton key={line} h={18} />
      ))}
    </Stack>
  );
}
