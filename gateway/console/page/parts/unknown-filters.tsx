import { Alert, Button, Group, Text } from '@mantine/core';
import type { FilterValues } from '../lib/filters.ts';
import { filterNames, type ListName } from '../lib/listed.ts';
import { text } from '../texts/shared.ts';

const texts = text.parts.filters.unknown;

interface UnknownFiltersProps {
  list: ListName;
  values: FilterValues;
  /** Other parameters of the page's address. */
  others?: readonly string[];
  change(changed: Record<string, undefined>): void;
}

/** Says which filters in the address the list does not have: a view may be older than this version, or a link misspelt. */
export function UnknownFilters({ list, values, others = [], change }: UnknownFiltersProps) {
  const known = [...filterNames(list), 'since', 'to', ...others];
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  return (
    <Alert color="yellow" title={texts.title} role="alert">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="break-anywhere">
          {texts.names(unknown.join(', '))}
        </Text>
        <Button size="xs" variant="default" onClick={() => change(Object.fromEntries(unknown.map((name) => [name, undefined])))}>
          {texts.remove}
        </Button>
      </Group>
    </Alert>
  );
}
