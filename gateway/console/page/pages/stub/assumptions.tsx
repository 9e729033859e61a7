import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { type FilterValues, labelled } from '../../lib/filters.ts';
import { askStub } from '../../lib/stub.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { NestedList } from '../../parts/resource/nested-list.tsx';
import type { Resource } from '../../parts/resource/resource.ts';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';
import { type Alternative, type Gap, Register } from './register.tsx';
import type { Active, StubState } from './stub.ts';

const words = text.stub.assumptions;

const nameOf = (gap: string, alternative: string) => `${gap}=${alternative}`;
const namesOf = (active: readonly Active[]) => active.map((one) => nameOf(one.gap, one.alternative)).join(', ');
const loadRegister = () => askStub<Gap[]>('/gaps');

/** Makes alternatives active, and returns which are. */
const play = (assumed: Record<string, string> | string) =>
  askStub<Active[]>('/assume', { method: 'POST', body: assumed, ...(typeof assumed === 'string' && { field: 'names' }) });
const end = (gap: string) => askStub(`/assume/${encodeURIComponent(gap)}`, { method: 'DELETE' });

/** Where the words of an entry are. Harmless changes are no questions of the register. */
const hrefOf = (gap: string) =>
  gap.startsWith('harmless.') ? '/docs/guides/partners/open-questions#harmless-changes' : `/docs/gaps#${gap}`;

const filters: Filter[] = [
  {
    name: 'entries',
    label: words.entries,
    kind: 'choice',
    choices: labelled(words.choices),
  },
];

/** The alternatives under which the stub answers, and the register with those it can play. */
export function Assumptions({ stub: { api, assumptions } }: { stub: StubState }) {
  const register = useQuery({ queryKey: ['stub gaps'], queryFn: loadRegister, staleTime: Number.POSITIVE_INFINITY });
  const places = useQuery({ queryKey: ['stub places', api], queryFn: () => placesOf(api), staleTime: Number.POSITIVE_INFINITY });
  const clear = useChange({ run: () => askStub('/assume', { method: 'DELETE' }), done: words.noneActive });
  const playing = useMemo(() => new Map(assumptions.map(({ gap, alternative }) => [gap, alternative])), [assumptions]);
  const matches = useCallback(
    (gap: Gap, values: FilterValues) => isWanted[values.entries ?? '']?.(gap, playing) ?? true,
    [playing],
  );
  const active = useMemo(() => activeWith(register.data ?? []), [register.data]);
  return (
    <Stack>
      <Paper withBorder p="sm" miw={0}>
        <NestedList
          resource={active}
          level={2}
          beside={<ChangeButton onClick={() => clear.mutate()}>{words.endAll}</ChangeButton>}
        />
      </Paper>
      <Register
        queryKey={['stub gaps']}
        load={loadRegister}
        filters={filters}
        matches={matches}
        found={words.found}
        about={({ id }) => (
          <Text size="sm">
            <Anchor href={hrefOf(id)} inherit underline="always">
              {hrefOf(id)}
            </Anchor>{' '}
            {places.data?.has(id) && words.where([...(places.data.get(id) ?? [])].join(', '))}
          </Text>
        )}
        played={(gap, alternative) => (
          <Toggle gap={gap} alternative={alternative} isActive={playing.get(gap.id) === alternative.id} />
        )}
      />
    </Stack>
  );
}

const isWanted: Record<string, (gap: Gap, playing: ReadonlyMap<string, string>) => boolean> = {
  active: ({ id }, playing) => playing.has(id),
  playable: ({ named_alternatives: named }) => named.some(({ played }) => played),
  harmless: ({ id }) => id.startsWith('harmless.'),
};

/** Plays an alternative, or ends it. */
function Toggle({ gap: { id }, alternative, isActive }: { gap: Gap; alternative: Alternative; isActive: boolean }): ReactNode {
  const name = nameOf(id, alternative.id);
  const change = useChange({
    run: async () => {
      if (!isActive) return words.nowActive(namesOf(await play({ [id]: alternative.id })));
      await end(id);
      return words.ended(id);
    },
    done: (message) => message,
  });
  return (
    <ChangeButton
      size="compact-xs"
      ml={6}
      variant={isActive ? 'filled' : 'default'}
      aria-label={isActive ? words.endNamed(name) : words.playNamed(name)}
      onClick={() => change.mutate()}
    >
      {isActive ? words.end : words.play}
    </ChangeButton>
  );
}

const activeWith = (register: readonly Gap[]): Resource<Active> => ({
  name: `active ${register.length}`,
  title: words.active,
  description: '',
  empty: words.none,
  live: true,
  load: async () => ({ data: await askStub<Active[]>('/assume'), next: null }),
  idOf: ({ gap }) => gap,
  titleOf: ({ gap, alternative }) => nameOf(gap, alternative),
  columns: [
    {
      header: words.columns.name,
      cell: ({ gap, alternative }) => (
        <Anchor href={hrefOf(gap)} inherit>
          <code>{nameOf(gap, alternative)}</code>
        </Anchor>
      ),
    },
    { header: words.columns.now, cell: (one) => <ServerText>{one.text}</ServerText> },
    {
      header: words.columns.instead,
      cell: ({ gap }) => <ServerText>{register.find(({ id }) => id === gap)?.choice ?? '–'}</ServerText>,
    },
  ],
  create: {
    label: words.playByName,
    fields: () => [{ name: 'names', label: words.names, kind: 'text', placeholder: 'harmless=all', help: words.namesHelp }],
    run: async (_, { names = '' }) => ({ message: words.nowActive(namesOf(await play(String(names)))) }),
  },
  actions: [
    {
      label: words.end,
      async run({ gap }) {
        await end(gap);
        return { message: words.ended(gap) };
      },
    },
  ],
});

/** The operations and events whose part of the API's document names each entry in `x-gap`. */
async function placesOf(api: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const document = await (await fetch(`/docs/${api}.json`)).json();
  const places = new Map<string, Set<string>>();
  const collect = (part: unknown, place: string, seen = new Set<unknown>()): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    const { 'x-gap': gaps = [], $ref } = part as { 'x-gap'?: string[]; $ref?: string };
    for (const gap of gaps) places.set(gap, (places.get(gap) ?? new Set()).add(place));
    const steps = $ref?.slice(2).split('/');
    collect(
      steps?.reduce((held, step) => held?.[step], document),
      place,
      seen,
    );
    for (const inner of Object.values(part)) collect(inner, place, seen);
  };
  for (const [path, item] of Object.entries<object>(document.paths))
    for (const [method, operation] of Object.entries(item)) collect(operation, `${method.toUpperCase()} ${path}`);
  for (const [type, item] of Object.entries(document.webhooks ?? {})) collect(item, type);
  return places;
}
