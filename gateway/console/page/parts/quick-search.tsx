import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { linkTo } from '../lib/filters.ts';

/** Where a thing is shown, by what its id begins with. */
const places: Readonly<Record<string, string>> = {
  evt: '/events',
  dlv: '/deliveries',
  ep: '/endpoints',
  call: '/calls',
};

/** Goes to anything by its id; other text is searched for in the deliveries. */
export function Finder() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useHotkeys([['g', () => input.current?.focus()]]);
  return (
    <search className="finder">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = text.trim();
          if (wanted === '') return;
          const place = places[wanted.split('_')[0] ?? ''];
          navigate(
            place && /^[a-z]+_\S+$/.test(wanted)
              ? `${place}/${encodeURIComponent(wanted)}`
              : linkTo('/deliveries', { q: wanted }),
          );
          setText('');
          input.current?.blur();
        }}
      >
        <TextInput
          ref={input}
          size="sm"
          aria-label="Go to an id, or search the deliveries"
          placeholder="Go to an id, or search deliveries (g)"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
