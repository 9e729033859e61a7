import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type BodyOf, dataOf, fieldErrorOf, type paths } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { Failure } from '../problem.tsx';

const texts = text.parts.endpointForm;

type Preview = BodyOf<paths['/endpoints/filter-preview']['post']>;

/** The fields that decide which events an endpoint gets. Only an operator's form has a service and an owner. */
type Wanted = Omit<Preview, 'filter' | 'service'> & Partial<Pick<Preview, 'service'>> & Pick<Endpoint, 'filter'>;

/** The field of a filter, which can be tried before it is saved. The API refuses text that is no JSON, so that what was typed is not lost. */
export function FilterField({ wanted, set, error }: { wanted: Wanted; set(filter: Endpoint['filter']): void; error: ReactNode }) {
  const { filter } = wanted;
  const [typed, setTyped] = useState(filter ? JSON.stringify(filter, null, 2) : '');
  const trial = useMutation({
    mutationFn: (body: Wanted) => dataOf(api.POST('/endpoints/filter-preview', { body: body as Preview })),
  });
  const isOfThese = JSON.stringify(trial.variables) === JSON.stringify(wanted);
  const refused = isOfThese ? trial.error : null;
  const refusedFilter = fieldErrorOf(refused, 'filter');
  const change = (value: string) => {
    setTyped(value);
    set(parsed(value));
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
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
        error={refusedFilter ?? error}
      />
      <Button
        size="xs"
        variant="default"
        disabled={filter === null}
        loading={trial.isPending}
        onClick={() => trial.mutate(wanted)}
      >
        {texts.tryFilter}
      </Button>
      <div aria-live="polite">
        {refused && !refusedFilter && <Failure error={refused} />}
        {isOfThese && trial.data && <Matches of={trial.data} />}
      </div>
    </Stack>
  );
}

const Matches = ({ of }: { of: NonNullable<Endpoint['filter_matches']> }) => (
  <Text size="xs" c="dimmed" className="break-anywhere">
    {text.endpointParts.filterMatches(of)}
  </Text>
);

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
      {matches && <Matches of={matches} />}
    </>
  );
}
