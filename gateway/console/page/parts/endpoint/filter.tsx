import { Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';

const texts = text.parts.endpointForm;

interface FilterFieldProps {
  filter: Endpoint['filter'];
  set(filter: Endpoint['filter']): void;
  error: ReactNode;
}

/** The field of a filter. The API refuses text that is no JSON, so that what was typed is not lost. */
export function FilterField({ filter, set, error }: FilterFieldProps) {
  const [typed, setTyped] = useState(filter ? JSON.stringify(filter, null, 2) : '');
  const change = (value: string) => {
    setTyped(value);
    set(parsed(value));
  };
  return (
    <Textarea
      label={texts.filter}
      description={texts.filterHelp}
      placeholder={'{"data": {"total": {"$gte": 10000}}}'}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      classNames={{ input: 'mono' }}
      spellCheck={false}
      autosize
      minRows={2}
      maxRows={12}
      error={error}
    />
  );
}

function parsed(typed: string): Endpoint['filter'] {
  if (typed.trim() === '') return null;
  try {
    return JSON.parse(typed);
  } catch {
    // Sent as it is: the API says what it expects.
    return typed as unknown as Endpoint['filter'];
  }
}

/** A filter, how many of the newest events meet it, and why one does not. */
export function Filter({
  endpoint: { filter, filter_matches: matches },
}: {
  endpoint: Pick<Endpoint, 'filter' | 'filter_matches'>;
}) {
  if (!filter) return text.endpointParts.settings.noFilter;
  return (
    <>
      <Text component="code" className="mono" inherit>
        {JSON.stringify(filter)}
      </Text>
      {matches && (
        <Text size="xs" c="dimmed">
          {text.endpointParts.filterMatches(matches)}
        </Text>
      )}
    </>
  );
}
