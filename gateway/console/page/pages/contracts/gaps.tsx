import { Anchor, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { answer, api, type paths } from '../../lib/api.ts';
import { choices, type FilterValues, labelled, useFilters } from '../../lib/filters.ts';
import { serviceNames } from '../../lib/services.ts';
import { Copy } from '../../parts/code.tsx';
import { NothingMatches } from '../../parts/empty.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';

type Gap = paths['/gaps']['get']['responses'][200]['content']['application/json']['data'][number];

const words = text.contracts.gaps;

const filters: Filter[] = [
  { name: 'q', label: words.filters.q, kind: 'search', placeholder: words.filters.qExample },
  { name: 'api', label: words.filters.api, kind: 'choice', choices: choices(serviceNames) },
  { name: 'status', label: words.filters.status, kind: 'choice', choices: labelled(words.status) },
];

const statusColours = { assumed: 'yellow', confirmed: 'teal', refuted: 'red' } as const;

const textOf = ({ named_alternatives: named, alternatives: _, ...texts }: Gap) =>
  [...Object.values(texts), ...named.flatMap(({ id, text: says }) => [`${texts.id}=${id}`, says])].join('\n').toLowerCase();

/** Returns true if the gap matches the filters and contains every word of the search, in any order. */
function matches(gap: Gap, { q = '', api: of, status }: FilterValues): boolean {
  if (of !== undefined && gap.api !== of) return false;
  if (status !== undefined && gap.status !== status) return false;
  const searched = textOf(gap);
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** The gap register. Each entry has its own address (`#id`). */
export function Gaps() {
  const [values, change] = useFilters();
  const gaps = useQuery({
    queryKey: ['gaps'],
    queryFn: async () => (await answer(api.GET('/gaps'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const all = gaps.data;
  const shown = useMemo(() => all?.filter((gap) => matches(gap, values)), [all, values]);
  const wanted = decodeURIComponent(location.hash.slice(1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the entries are loaded, not at each search.
  useEffect(() => {
    if (wanted !== '') document.getElementById(wanted)?.scrollIntoView();
  }, [all !== undefined, wanted]);
  return (
    <Stack gap="sm">
      <FilterBar filters={filters} values={values} change={change} />
      {gaps.error && <Failure error={gaps.error} retry={gaps.refetch} />}
      {gaps.isPending && <Loading />}
      {shown && all && (
        <Text size="sm" c="dimmed" role="status">
          {shown.length === all.length ? words.all(all.length, address) : words.some(shown.length, all.length, address)}
        </Text>
      )}
      {shown?.length === 0 && (
        <NothingMatches title={words.noMatches.title} filters={values}>
          {words.noMatches.next}
        </NothingMatches>
      )}
      {shown?.map((gap) => (
        <Entry key={gap.id} gap={gap} wanted={gap.id === wanted} />
      ))}
    </Stack>
  );
}

const address = (
  <Anchor href="/docs/gaps" size="sm" underline="always">
    {'/docs/gaps'}
  </Anchor>
);

function Entry({ gap, wanted }: { gap: Gap; wanted: boolean }) {
  const { id, api: of, section, quote, question, choice, why, named_alternatives: alternatives, status } = gap;
  return (
    <Paper withBorder p="md" id={id} component="article" className="entry" data-wanted={wanted || undefined}>
      <Group gap="xs" mb={4}>
        <Anchor href={`#${id}`} size="sm" className="mono">
          {id}
        </Anchor>
        <Copy text={`${location.origin}/console/contracts/gaps#${id}`} />
        <Badge color={statusColours[status]}>{words.status[status]}</Badge>
        <Text size="xs" c="dimmed">
          {words.place(of, section)}
        </Text>
      </Group>
      <Title order={2} size="h5" mb={4} lang="en">
        {question}
      </Title>
      {quote !== '' && (
        <Text size="sm" c="dimmed" fs="italic" mb={6}>
          {words.quote(<ServerText>{quote}</ServerText>)}
        </Text>
      )}
      <Text size="sm">
        <b>{words.choice}</b> <ServerText>{choice}</ServerText>
      </Text>
      <Text size="sm">
        <b>{words.why}</b> <ServerText>{why}</ServerText>
      </Text>
      {alternatives.length > 0 && (
        <>
          <Text size="sm" fw={600} mt={4}>
            {words.alternatives}
          </Text>
          <List size="sm" lang="en">
            {alternatives.map((alternative) => (
              <Alternative key={alternative.id} of={gap} alternative={alternative} />
            ))}
          </List>
        </>
      )}
    </Paper>
  );
}

interface AlternativeProps {
  of: Gap;
  alternative: Gap['named_alternatives'][number];
}

/** An alternative, with the command by which a stub plays it, or why none does. */
function Alternative({ of: { id, api: of }, alternative }: AlternativeProps) {
  const { id: name, text: says, not_played_because: reason } = alternative;
  const assumed = `${id}=${name}`;
  const command = `passerelle stub ${of} --assume ${assumed}`;
  return (
    <List.Item>
      <span className="mono">{name}</span>
      {`: ${says}`}
      {reason === undefined ? (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" className="mono">
            {command}
          </Text>
          <Copy text={command} name={words.copyCommand(assumed)} />
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          {words.notPlayed(<ServerText>{reason}</ServerText>)}
        </Text>
      )}
    </List.Item>
  );
}
