import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { linkTo } from '../lib/filters.ts';

/** The pages of things by the prefix of their id. */
const paths: Readonly<Record<string, string>> = {
  evt: '/events',
  dlv: '/deliveries',
  ep: '/endpoints',
  call: '/calls',
};

/** Opens the page of an id. Searches the deliveries for any other text. */
export function QuickSearch() {
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
          const path = paths[wanted.split('_')[0] ?? ''];
          navigate(
            path && /^[a-z]+_\S+$/.test(wanted) ? `${path}/${encodeURIComponent(wanted)}` : linkTo('/deliveries', { q: wanted }),
          );
          setText('');
          input.current?.blur();
        }}
      >
        <TextInput
          ref={input}
          size="sm"
          aria-label="Go to an id, or search deliveries"
          placeholder="Go to an id, or search deliveries (g)"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
