import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { type Partner, usePartners } from '../lib/partners.ts';
import { text } from '../texts/index.ts';

const says = text.partners.owner;

interface OwnerChoiceProps {
  /** Called with null for the operator. */
  choose(partner: Partner | null): void;
  error: ReactNode;
}

/** Chooses the owner of a new endpoint among accounts and users, which are searched by name. */
export function OwnerChoice({ choose, error }: OwnerChoiceProps) {
  const [chosen, setChosen] = useState<Partner | null>(null);
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), 200);
  // The name of the chosen one stands in the field: it is no search for others.
  const q = searched === chosen?.name ? '' : searched;
  const found = usePartners(q);
  const shown = new Map([...(chosen ? [chosen] : []), ...(found?.data ?? [])].map((partner) => [partner.id, partner]));
  return (
    <Select
      label={says.label}
      description={found?.more && q !== '' ? `${says.help} ${says.more}` : says.help}
      placeholder={says.placeholder}
      data={[...shown.values()].map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen?.id ?? null}
      onChange={(id) => {
        const partner = (id !== null && shown.get(id)) || null;
        setChosen(partner);
        choose(partner);
      }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.parts.filters.clear }}
      searchValue={typed}
      onSearchChange={setTyped}
      // The API has searched, also without accents.
      filter={({ options }) => options}
      renderOption={({ option }) => <Choice of={shown.get(option.value)} />}
      nothingFoundMessage={!found ? says.searching : q === '' ? says.none : says.nobody(q)}
      comboboxProps={{ zIndex: 400 }}
      error={error}
    />
  );
}

function Choice({ of: partner }: { of: Partner | undefined }) {
  if (!partner) return null;
  const { id, kind, name, active } = partner;
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" w="100%">
      <bdi className="break-anywhere">{name}</bdi>
      <Text span size="xs" c="dimmed" className="break-anywhere" ta="right">
        {[text.partners.kinds[kind], id.slice(kind.length + 1), ...(active ? [] : [text.partners.inactive])].join(' · ')}
      </Text>
    </Group>
  );
}
