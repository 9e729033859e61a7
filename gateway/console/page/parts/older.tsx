import { Button, Group } from '@mantine/core';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { Time } from './time.tsx';

interface OlderProps {
  label: string;
  loading: boolean;
  load(): void;
  /** Set if the search stopped before the page was full. */
  searchedTo: string | null;
}

/** The button that loads the next page, and how far back the search came. */
export const Older = ({ label, loading, load, searchedTo }: OlderProps) => (
  <Group gap="sm">
    <Button variant="default" size="xs" loading={loading} onClick={load}>
      {label}
    </Button>
    {searchedTo !== null && <Hint>{text.parts.list.searchedTo(<Time at={searchedTo} />)}</Hint>}
  </Group>
);
