import { Button, Group, Text } from '@mantine/core';
import { text } from '../texts/shared.ts';
import { Time } from './time.tsx';

interface OlderProps {
  label: string;
  loading: boolean;
  load(): void;
  /** Set if the search stopped before the page was full. */
  searchedTo: string | null;
}

/** The button that loads the next page, and how far back the search came. */
export function Older({ label, loading, load, searchedTo }: OlderProps) {
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" loading={loading} onClick={load}>
        {label}
      </Button>
      {searchedTo !== null && (
        <Text size="sm" c="dimmed">
          {text.parts.list.searchedTo(<Time at={searchedTo} />)}
        </Text>
      )}
    </Group>
  );
}
