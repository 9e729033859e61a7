import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { type FilterValues, spans, startOfSpan } from '../lib/filters.ts';
import { inputOf, instantOf, zoneName } from '../lib/time.ts';
import { useZone } from '../lib/zone.ts';
import { text } from '../texts/shared.ts';

const texts = text.parts.filters;

interface TimeFilterProps {
  name: string;
  label: string;
  ends?: readonly [from: string, to: string] | undefined;
  values: FilterValues;
  change(changed: Record<string, string | undefined>): void;
}

const options = [
  { value: '', label: texts.anyTime },
  ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
  { value: 'custom', label: texts.custom },
];

/** A time span before now, or a range. The address has UTC times, so that a shared link means the same everywhere. */
export function TimeFilter({ name, label, ends = ['from', 'to'], values, change }: TimeFilterProps) {
  const [from, to] = ends;
  const custom = values[from] !== undefined || values[to] !== undefined || values[name] === 'custom';
  const select = (selected: string) => {
    if (selected !== 'custom') return change({ [name]: selected, [from]: undefined, [to]: undefined });
    change({ [name]: 'custom', [from]: startOfSpan(Date.now(), values[name]) });
  };
  return (
    <>
      <NativeSelect
        size="xs"
        label={label}
        value={custom ? 'custom' : (values[name] ?? '')}
        onChange={(event) => select(event.currentTarget.value)}
        data={options}
      />
      {custom && (
        <>
          <DateTimeInput
            label={texts.from}
            value={values[from] ?? ''}
            change={(value) => change({ [name]: 'custom', [from]: value })}
          />
          <DateTimeInput
            label={texts.before}
            value={values[to] ?? ''}
            change={(value) => change({ [name]: 'custom', [to]: value })}
          />
        </>
      )}
    </>
  );
}

/** Applies complete times, or an empty field when it loses focus. The browser keeps incomplete input. */
function DateTimeInput({ label, value, change }: { label(zone: string): string; value: string; change(value: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const zone = useZone();
  const shown = inputOf(value, zone);
  const apply = useDebouncedCallback(() => {
    const typed = instantOf(input.current?.value ?? '', zone);
    if (typed !== '' && typed !== instantOf(shown, zone)) change(typed);
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
      label={label(zoneName(zone))}
      defaultValue={shown}
      w={190}
      onChange={apply}
      onBlur={(event) => {
        if (event.currentTarget.value === '' && value !== '' && !event.currentTarget.validity.badInput) change('');
      }}
    />
  );
}
