import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { pathOf, quickSearchId } from '../lib/quick-search.ts';
import { text as catalogue } from '../texts/shared.ts';
import { IconSearch } from './icons/tabler.ts';

/** Opens the page of an id. Lists the calls with any other text. */
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
          navigate(pathOf(wanted));
          setText('');
          input.current?.blur();
        }}
      >
        <TextInput
          ref={input}
          id={quickSearchId}
          size="sm"
          aria-label={catalogue.frame.quickSearch.label}
          placeholder={catalogue.frame.quickSearch.placeholder}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
