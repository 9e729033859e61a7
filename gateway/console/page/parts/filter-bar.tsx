import { Button, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useEffect, useId, useRef, useState } from 'react';
import { type FilterValues, pickFilters } from '../lib/filters.ts';
import { text as catalogue } from '../texts/shared.ts';
import { IconPlayerPlay, IconSearch, IconX } from './icons/tabler.ts';
import { TimeFilter } from './time-filter.tsx';

const texts = catalogue.parts;

/** One filter of a list. Its name is the parameter in the page's address and in the API. */
export interface Filter {
  name: string;
  label: string;
  /** The key `/` moves to the `search` field. `time` is a time span before now, or a range. */
  kind: 'search' | 'text' | 'choice' | 'time';
  /** The options of a `choice`, or the suggestions of a `text`. */
  choices?: readonly { value: string; label: string }[];
  placeholder?: string;
  width?: number;
  /** The parameters for the start and end of a `time`. Default: `from` and `to`. */
  ends?: readonly [from: string, to: string];
}

/** The parameters that a filter sets. */
const namesOf = ({ name, kind, ends = ['from', 'to'] }: Filter) => (kind === 'time' ? [name, ...ends] : [name]);

/** The values of these filters. The address may have others that the viewer's API does not know. */
export const pickShown = (filters: readonly Filter[], values: FilterValues): FilterValues =>
  pickFilters(values, filters.flatMap(namesOf));

/** So many filters are shown before the others are asked for. */
const alwaysShown = 4;

interface FilterBarProps {
  filters: readonly Filter[];
  values: FilterValues;
  change(changed: Record<string, string | undefined>): void;
  /** Left out if the list cannot be live. */
  live?: { on: boolean; toggle(): void };
}

export function FilterBar({ filters, values, change, live }: FilterBarProps) {
  const set = filters.flatMap(namesOf).filter((name) => values[name] !== undefined);
  // Unused filters stand between the keyboard and the rows. On a phone they would also push the list off the screen.
  const [all, showAll] = useState(false);
  const isUnused = (filter: Filter) => !all && namesOf(filter).every((name) => !set.includes(name));
  const isHidden = (filter: Filter, index: number) => isUnused(filter) && index >= alwaysShown;
  const isHiddenOnPhone = (filter: Filter) => isUnused(filter) && filter.kind !== 'search';
  useHotkeys(live ? [['l', live.toggle]] : []);
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label={texts.filters.label}>
      {filters
        .filter((filter, index) => !isHidden(filter, index))
        .map((filter) => (
          <Group key={filter.name} gap="xs" align="flex-end" {...(isHiddenOnPhone(filter) ? { visibleFrom: 'sm' } : {})}>
            {filter.kind === 'time' ? (
              <TimeFilter name={filter.name} label={filter.label} ends={filter.ends} values={values} change={change} />
            ) : (
              <Field filter={filter} value={values[filter.name] ?? ''} change={(value) => change({ [filter.name]: value })} />
            )}
          </Group>
        ))}
      {filters.some(isHiddenOnPhone) && (
        <Button size="xs" variant="default" onClick={() => showAll(true)} {...(!filters.some(isHidden) && { hiddenFrom: 'sm' })}>
          {texts.filters.more}
        </Button>
      )}
      {set.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}
        >
          {texts.filters.clear}
        </Button>
      )}
      {live && (
        <Switch
          checked={live.on}
          onChange={live.toggle}
          label={texts.filters.live}
          size="sm"
          mb={6}
          thumbIcon={<IconPlayerPlay size={10} aria-hidden />}
        />
      )}
    </Group>
  );
}

interface FieldProps {
  filter: Filter;
  value: string;
  change(value: string): void;
}

function Field({ filter, value, change }: FieldProps) {
  const { kind, label, choices = [], width } = filter;
  if (kind === 'choice') {
    // The address may have a value that is not among the choices, or not yet.
    const known = value === '' || choices.some((choice) => choice.value === value);
    return (
      <NativeSelect
        size="xs"
        label={label}
        w={width}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        data={[{ value: '', label: texts.any }, ...choices, ...(known ? [] : [{ value, label: value }])]}
        error={known || choices.length === 0 ? undefined : texts.filters.gone}
      />
    );
  }
  return <TextField filter={filter} value={value} change={change} />;
}

/** Applies the text when typing pauses. */
function TextField({ filter: { kind, label, placeholder, width, choices }, value, change }: FieldProps) {
  const listId = useId();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback((typed: string) => change(typed.trim()), 250);
  useEffect(() => setText(value), [value]);
  useHotkeys(kind === 'search' ? [['/', () => input.current?.focus()]] : []);
  return (
    <>
      <TextInput
        ref={input}
        size="xs"
        label={label}
        list={choices && listId}
        placeholder={placeholder ?? ''}
        w={width ?? (kind === 'search' ? 240 : 170)}
        leftSection={kind === 'search' ? <IconSearch size={14} aria-hidden /> : undefined}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          apply(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      {choices && (
        <datalist id={listId}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
