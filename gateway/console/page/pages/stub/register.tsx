import { Anchor, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { type FilterValues, useFilters } from '../../lib/filters.ts';
import type { ServiceName } from '../../lib/services.ts';
import { Copy } from '../../parts/code.tsx';
import { NothingMatches } from '../../parts/empty.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';

export interface Alternative {
  id: string;
  text: string;
  played: boolean;
  /** Why no stub plays it. */
  not_played_because?: string;
}

/** An entry of `GET /_stub/gaps`. */
export interface Gap {
  id: string;
  api: ServiceName;
  section: string;
  quote: string;
  question: string;
  choice: string;
  why: string;
  /** The texts of `named_alternatives`. */
  alternatives: string[];
  named_alternatives: Alternative[];
  status: 'assumed' | 'confirmed' | 'refuted';
}

const words = text.stub.register;

const search: Filter = { name: 'q', label: words.filters.q, kind: 'search', placeholder: words.filters.qExample };

interface RegisterProps {
  queryKey: readonly string[];
  load(): Promise<Gap[]>;
  /** The filters beside the search. */
  filters: readonly Filter[];
  /** Returns true if the entry matches these filters. */
  matches(gap: Gap, values: FilterValues): boolean;
  /** Says how many entries are shown. */
  found(shown: number, all: number): ReactNode;
  /** More about an entry, above its alternatives. */
  about?(gap: Gap): ReactNode;
  /** What the viewer can do with an alternative that a stub plays. */
  played(gap: Gap, alternative: Alternative): ReactNode;
}

const statusColours = { assumed: 'yellow', confirmed: 'teal', refuted: 'red' } as const;

const textOf = ({ named_alternatives: named, alternatives: _, ...texts }: Gap) =>
  [...Object.values(texts), ...named.flatMap(({ id, text: says }) => [`${texts.id}=${id}`, says])].join('\n').toLowerCase();

/** Returns true if the entry contains every word of the search, in any order. */
function isFound(gap: Gap, { q = '' }: FilterValues): boolean {
  const searched = textOf(gap);
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** Entries of the gap register, searchable. Each entry has its own address (`#id`). */
export function Register({ queryKey, load, filters, matches, found, about, played }: RegisterProps) {
  const [values, change] = useFilters();
  const gaps = useQuery({ queryKey, queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  const all = gaps.data;
  const shown = useMemo(() => all?.filter((gap) => isFound(gap, values) && matches(gap, values)), [all, values, matches]);
  const wanted = decodeURIComponent(location.hash.slice(1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the entries are loaded, not at each search.
  useEffect(() => {
    if (wanted !== '') document.getElementById(wanted)?.scrollIntoView();
  }, [all !== undefined, wanted]);
  return (
    <Stack gap="sm">
      <FilterBar filters={[search, ...filters]} values={values} change={change} />
      {gaps.error && <Failure error={gaps.error} retry={gaps.refetch} />}
      {gaps.isPending && <Loading />}
      {shown && all && (
        <Text size="sm" c="dimmed" role="status">
          {found(shown.length, all.length)}
        </Text>
      )}
      {shown?.length === 0 && (
        <NothingMatches title={words.noMatches.title} filters={values}>
          {words.noMatches.next}
        </NothingMatches>
      )}
      {shown?.map((gap) => (
        <Entry key={gap.id} gap={gap} wanted={gap.id === wanted} about={about} played={played} />
      ))}
    </Stack>
  );
}

interface EntryProps extends Pick<RegisterProps, 'about' | 'played'> {
  gap: Gap;
  wanted: boolean;
}

function Entry({ gap, wanted, about, played }: EntryProps) {
  const { id, api: of, section, quote, question, choice, why, named_alternatives: alternatives, status } = gap;
  return (
    <Paper withBorder p="md" id={id} component="article" className="entry" data-wanted={wanted || undefined}>
      <Group gap="xs" mb={4}>
        <Anchor href={`#${id}`} size="sm" className="mono">
          {id}
        </Anchor>
        <Copy text={`${location.origin}${location.pathname}#${id}`} />
        <Badge color={statusColours[status]}>{words.status[status]}</Badge>
        <Hint size="xs">{words.place(of, section)}</Hint>
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
      {about?.(gap)}
      {alternatives.length > 0 && (
        <>
          <Text size="sm" fw={600} mt={4}>
            {words.alternatives}
          </Text>
          <List size="sm" lang="en">
            {alternatives.map((alternative) => (
              <AlternativeItem key={alternative.id} of={alternative} played={() => played(gap, alternative)} />
            ))}
          </List>
        </>
      )}
    </Paper>
  );
}

const AlternativeItem = ({
  of: { id, text: meaning, not_played_because: reason },
  played,
}: {
  of: Alternative;
  played(): ReactNode;
}) => (
  <List.Item>
    <span className="mono">{id}</span>
    {`: ${meaning}`}
    {reason === undefined ? played() : <Hint size="xs">{words.notPlayed(<ServerText>{reason}</ServerText>)}</Hint>}
  </List.Item>
);
