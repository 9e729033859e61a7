import { Alert, Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answer, api } from '../../lib/api.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { useNotReached } from '../../lib/why.ts';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { IconSearch } from '../../parts/icons/tabler.ts';
import { Loading } from '../../parts/loading.tsx';
import { Older } from '../../parts/older.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Failure } from '../../parts/problem.tsx';
import { SubmitForm } from '../../parts/submit-form.tsx';
import { text } from '../../texts/index.ts';
import { Axis } from './axis.tsx';
import { entriesOf, type Story } from './entries.ts';

const says = text.story;

/** The story of anything that has an id or a text, from the request to the last receipt. The search is in the address. */
export default function StoryPage() {
  const [{ q = '' }, change] = useFilters();
  const [typed, setTyped] = useState(q);
  useEffect(() => setTyped(q), [q]);
  return (
    <Frame title={says.title}>
      <search>
        <SubmitForm submit={() => change({ q: typed.trim() })}>
          <Group gap="xs" align="flex-end">
            <TextInput
              flex="1 1 260px"
              label={says.search}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={typed}
              maxLength={200}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" disabled={typed.trim() === ''}>
              {says.show}
            </Button>
          </Group>
        </SubmitForm>
      </search>
      {q === '' ? <Empty title={says.start}>{says.startHow}</Empty> : <Found key={q} q={q} />}
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
      <NotReached what={q} deliveries={story.deliveries} />
      {entries.length === 0 ? (
        <Empty title={says.nothing}>{searchedTo === null ? says.nothingHow : says.nothingSoFar}</Empty>
      ) : (
        <Paper withBorder>
          <Axis entries={entries} found={q} />
        </Paper>
      )}
      {story.cut && (
        <Alert color="yellow" title={says.cut}>
          {says.cutHow} <PageLink href={linkTo('/deliveries', { q })}>{says.listDeliveries}</PageLink>
        </Alert>
      )}
      {read.hasNextPage && (
        <Older label={says.further} loading={read.isFetchingNextPage} load={() => read.fetchNextPage()} searchedTo={searchedTo} />
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

const maxShown = 3;
const canRetry: ReadonlySet<string> = new Set(['held', 'probing', 'retry', 'failed', 'endpoint_disabled', 'in_turn']);

/** What has not arrived, and why: one sentence for each endpoint. The rows below have all of them. */
function NotReached({ what, deliveries }: { what: string; deliveries: readonly Story['deliveries'][number][] }) {
  const say = useNotReached();
  const missing = new Map(deliveries.filter(({ cause }) => cause).map((one) => [one.endpoint_id, one]));
  if (missing.size === 0) return null;
  return (
    <Alert color="yellow" role="status">
      {[...missing.values()].slice(0, maxShown).map(({ endpoint_id, cause }) => (
        <div key={endpoint_id} className="break-anywhere">
          {cause && say(what, cause)}{' '}
          {cause && canRetry.has(cause.case) && (
            <PageLink href={`/endpoints/${encodeURIComponent(endpoint_id)}?retry=1`}>{text.overview.retryNow}</PageLink>
          )}
        </div>
      ))}
    </Alert>
  );
}
