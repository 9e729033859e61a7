import { Alert, Anchor, Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Older } from '../../parts/older.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Axis } from './axis.tsx';
import { entriesOf, type Story } from './entries.ts';

/** The story of anything that has an id or a text, from the request to the last receipt. The search is in the address. */
export default function StoryPage() {
  const [{ q = '' }, change] = useFilters();
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  return (
    <Frame title="Story">
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change({ q: text.trim() });
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              flex={1}
              label="An id, a reference, an idempotency key, or any text of a call or an event"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={text}
              maxLength={200}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" disabled={text.trim() === ''}>
              Show its story
            </Button>
          </Group>
        </form>
      </search>
      {q === '' ? (
        <Empty title="What happened to a sale?">
          Enter its reference or id. The id of a call (x-request-id), an event (webhook-id) or a delivery works too.
        </Empty>
      ) : (
        <Found key={q} q={q} />
      )}
    </Frame>
  );
}

function Found({ q }: { q: string }) {
  const read = useInfiniteQuery({
    queryKey: ['story', q],
    queryFn: async ({ pageParam: cursor }: { pageParam: string | null }) =>
      answer(api.GET('/story', { params: { query: { q, ...(cursor !== null && { cursor }) } } })),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    // Shows attempts as they are made.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.deliveries.some(({ status }) => status === 'pending')) ? 3000 : false,
  });
  const { data } = read;
  if (!data) return read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={8} />;
  const story = together(data.pages.map((page) => page.data));
  const entries = entriesOf(story);
  const searchedTo = data.pages.at(-1)?.searched_to ?? null;
  return (
    <Stack>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      {entries.length === 0 ? (
        <Empty title="Nothing found">
          No call and no event has this id or text{searchedTo !== null && ' so far'}. Upper and lower case matter.
        </Empty>
      ) : (
        <Paper withBorder>
          <Axis entries={entries} found={q} />
        </Paper>
      )}
      {story.cut && (
        <Alert color="yellow" title="This is not all of it">
          There are more events, deliveries or attempts than a story shows.{' '}
          <Anchor component={Link} size="sm" href={linkTo('/deliveries', { q })}>
            List the deliveries
          </Anchor>
        </Alert>
      )}
      {read.hasNextPage && (
        <Older
          label="Search further back"
          loading={read.isFetchingNextPage}
          load={() => read.fetchNextPage()}
          searchedTo={searchedTo}
        />
      )}
    </Stack>
  );
}

/** The pages of a search as one story. The same row may be in several of them. */
function together(pages: readonly Story[]): Story {
  const once = <R extends { id: string }>(rows: readonly R[]) => [...new Map(rows.map((row) => [row.id, row])).values()];
  return {
    calls: once(pages.flatMap(({ calls }) => calls)),
    calls_gone: [...new Set(pages.flatMap(({ calls_gone }) => calls_gone))],
    events: once(pages.flatMap(({ events }) => events)),
    deliveries: once(pages.flatMap(({ deliveries }) => deliveries)),
    attempts: once(pages.flatMap(({ attempts }) => attempts)),
    endpoints: once(pages.flatMap(({ endpoints }) => endpoints)),
    cut: pages.some(({ cut }) => cut),
  };
}
