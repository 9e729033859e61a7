import { Button, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconPlayerPlay, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type FilterValues, spans } from '../lib/filters.ts';
import { shortTime } from '../lib/time.ts';

/** One filter of a list: its name is the parameter's, in the page's address and in the API. */
export interface Filter {
  name: string;
  label: string;
  /** `search` is the one that `/` goes to. `time` is a length of time before now. */
  kind: 'search' | 'text' | 'choice' | 'time';
  /** Of a choice: values and how they are called. Of a text: what it may be, to choose from while one types. */
  choices?: readonly { value: string; label: string }[];
  placeholder?: string;
  width?: number;
}

interface FilterBarProps {
  filters: readonly Filter[];
  values: FilterValues;
  change(changed: Record<string, string | undefined>): void;
  /** Left out where the list is not watched live. */
  live?: { on: boolean; toggle(): void };
  children?: ReactNode;
}

export function FilterBar({ filters, values, change, live, children }: FilterBarProps) {
  const timed = filters.some(({ kind }) => kind === 'time');
  const names = [...filters.map(({ name }) => name), ...(timed ? stretch : [])];
  const set = names.filter((name) => values[name] !== undefined);
  useHotkeys(live ? [['l', live.toggle]] : []);
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filters">
      {filters.map((filter) => (
        <Field
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          change={(value) => change({ [filter.name]: value, ...(filter.kind === 'time' ? noStretch : {}) })}
        />
      ))}
      {timed && <Stretch values={values} change={change} />}
      {set.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
      {live && (
        <Switch
          checked={live.on}
          onChange={live.toggle}
          label="Live"
          size="sm"
          mb={6}
          thumbIcon={<IconPlayerPlay size={10} aria-hidden />}
        />
      )}
      {children}
    </Group>
  );
}

/** What a chart's stretch or a link is in the address, beside or instead of a length of time before now. */
const stretch = ['from', 'to'];
const noStretch = { from: undefined, to: undefined };

function Stretch({ values: { from, to }, change }: Pick<FilterBarProps, 'values' | 'change'>) {
  if (from === undefined && to === undefined) return null;
  const written = (instant: string) => (Number.isNaN(Date.parse(instant)) ? instant : shortTime(instant));
  return (
    <Button
      size="xs"
      variant="light"
      rightSection={<IconX size={14} aria-label="(take away)" />}
      onClick={() => change(noStretch)}
    >
      {[from && `from ${written(from)}`, to && `until ${written(to)}`].filter(Boolean).join(' ')}
    </Button>
  );
}

interface FieldProps {
  filter: Filter;
  value: string;
  change(value: string): void;
}

function Field({ filter, value, change }: FieldProps) {
  const { kind, label, choices = [], width } = filter;
  if (kind === 'choice' || kind === 'time') {
    const options = kind === 'time' ? Object.entries(spans).map(([name, span]) => ({ value: name, label: span.label })) : choices;
    return (
      <NativeSelect
        size="xs"
        label={label}
        w={width}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        data={[{ value: '', label: kind === 'time' ? 'any time' : 'any' }, ...options]}
      />
    );
  }
  return <TextField filter={filter} value={value} change={change} />;
}

/** What is typed is looked for when the typing pauses. */
function TextField({ filter: { kind, label, placeholder, width, choices }, value, change }: FieldProps) {
  const listId = useId();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const tell = useDebouncedCallback((typed: string) => change(typed.trim()), 250);
  useEffect(() => setText(value), [value]);
  useHotkeys(kind === 'search' ? [['/', () => input.current?.focus()]] : []);
  return (
    <TextInput
      ref={input}
      size="xs"
      list={choices && listId}
      rightSection={choices && <Suggestions id={listId} choices={choices} />}
      rightSectionWidth={0}
      label={label}
      placeholder={placeholder ?? ''}
      w={width ?? (kind === 'search' ? 240 : 170)}
      leftSection={kind === 'search' ? <IconSearch size={14} aria-hidden /> : undefined}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}

function Suggestions({ id, choices }: { id: string; choices: NonNullable<Filter['choices']> }) {
  return (
    <datalist id={id}>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </datalist>
  );
}
