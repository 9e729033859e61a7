import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { type FilterValues, instantBefore, spans } from '../lib/filters.ts';
import { instantOf, localInput } from '../lib/time.ts';

interface TimeFilterProps {
  name: string;
  label: string;
  ends?: readonly [from: string, to: string] | undefined;
  values: FilterValues;
  change(changed: Record<string, string | undefined>): void;
}

const options = [
  { value: '', label: 'any time' },
  ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
  { value: 'custom', label: 'custom' },
];

/** A length of time before now, or a period between two instants, which the address has in UTC: it means the same to everybody. */
export function TimeFilter({ name, label, ends = ['from', 'to'], values, change }: TimeFilterProps) {
  const [from, to] = ends;
  const custom = values[from] !== undefined || values[to] !== undefined || values[name] === 'custom';
  const choose = (chosen: string) => {
    if (chosen !== 'custom') return change({ [name]: chosen, [from]: undefined, [to]: undefined });
    change({ [name]: 'custom', [from]: instantBefore(Date.now(), values[name]) });
  };
  return (
    <>
      <NativeSelect
        size="xs"
        label={label}
        value={custom ? 'custom' : (values[name] ?? '')}
        onChange={(event) => choose(event.currentTarget.value)}
        data={options}
      />
      {custom && (
        <>
          <InstantInput label="From" value={values[from] ?? ''} change={(value) => change({ [name]: 'custom', [from]: value })} />
          <InstantInput label="Before" value={values[to] ?? ''} change={(value) => change({ [name]: 'custom', [to]: value })} />
        </>
      )}
    </>
  );
}

interface InstantInputProps {
  label: string;
  value: string;
  change(value: string): void;
}

/** The browser keeps what is half typed: only a whole moment, or an emptied field that was left, is told of. */
function InstantInput({ label, value, change }: InstantInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const shown = localInput(value);
  const tell = useDebouncedCallback(() => {
    const typed = instantOf(input.current?.value ?? '');
    if (typed !== '' && typed !== instantOf(shown)) change(typed);
  }, 600);
  useEffect(() => {
    if (input.current && input.current.value !== shown) input.current.value = shown;
  }, [shown]);
  return (
    <TextInput
      ref={input}
      size="xs"
      type="datetime-local"
      step={1}
      label={label}
      defaultValue={shown}
      w={190}
      onChange={tell}
      onBlur={(event) => {
        if (event.currentTarget.value === '' && value !== '' && !event.currentTarget.validity.badInput) change('');
      }}
    />
  );
}
