import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { pickFilters, useFilters, withStartTime } from '../../page/lib/filters.ts';
import { shortCount } from '../../page/lib/format.ts';
import { duration } from '../../page/lib/time.ts';
import { Empty, NothingMatches } from '../../page/parts/empty.tsx';
import { ExportMenu } from '../../page/parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../page/parts/filter-bar.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { List, type ListColumn } from '../../page/parts/list.tsx';
import { MethodAndPath } from '../../page/parts/method-and-path.tsx';
import { HttpStatus } from '../../page/parts/status.tsx';
import { Time } from '../../page/parts/time.tsx';
import { Total } from '../../page/parts/total.tsx';
import { answer, type paths, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

const texts = text.calls;

type Query = NonNullable<paths['/calls']['get']['parameters']['query']>;
type Call = paths['/calls']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Call) => id;
const hrefOf = ({ id }: Call) => `/calls/${id}`;

const columns: readonly ListColumn<Call>[] = [
  { header: texts.columns.time, kind: 'time', cell: ({ at }) => <Time at={at} /> },
  { header: texts.columns.call, cell: ({ method, path }) => <MethodAndPath method={method} path={path} /> },
  { header: texts.columns.status, kind: 'number', cell: ({ status }) => <HttpStatus status={status} /> },
  { header: texts.columns.error, kind: 'name', cell: ({ error_code }) => error_code },
  { header: texts.columns.operation, kind: 'name', cell: ({ operation }) => operation },
  { header: texts.columns.duration, kind: 'number', cell: ({ duration_ms }) => duration(duration_ms) },
];

const statuses = Object.entries(texts.filters.statuses).map(([value, label]) => ({ value, label }));

const filtersWith = (operations: Filter['choices']): readonly Filter[] => [
  { name: 'q', label: texts.filters.q, kind: 'search', placeholder: texts.filters.qExample },
  { name: 'status', label: texts.filters.status, kind: 'choice', choices: statuses },
  { name: 'since', label: texts.filters.time, kind: 'time' },
  { name: 'operation', label: texts.filters.operation, kind: 'choice', choices: operations, width: 190 },
  { name: 'error_code', label: texts.filters.errorCode, kind: 'text', placeholder: 'token_expired' },
  { name: 'limited', label: texts.filters.limited, kind: 'choice', choices: [{ value: 'true', label: texts.filters.refused }] },
];

const names = ['q', 'status', 'operation', 'error_code', 'limited', 'from', 'to'];

/** The operations that the partner called, most frequent first, with the number of calls. */
function useOperations() {
  const { data } = useQuery({
    queryKey: ['calls', 'operations'],
    queryFn: async () => (await answer(profile.GET('/calls/count'))).data.operations,
    staleTime: 60_000,
  });
  return useMemo(
    () =>
      data?.flatMap(({ operation, count }) =>
        operation === null ? [] : [{ value: operation, label: `${operation} (${shortCount(count)})` }],
      ) ?? [],
    [data],
  );
}

/** The partner's calls to its API. */
export default function Calls() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(true);
  const filter = useMemo(() => pickFilters(values, [...names, 'since']), [values]);
  const operations = useOperations();
  const filters = useMemo(() => filtersWith(operations), [operations]);
  const load = useCallback(
    async (cursor: string | undefined) => {
      const { to: until, ...query } = pickFilters(withStartTime(filter, Date.now()), names);
      // The API validates the filters in the address.
      const sent = { ...query, ...(until !== undefined && { until }), cursor, limit: 50 } as Query;
      return answer(profile.GET('/calls', { params: { query: sent } }));
    },
    [filter],
  );
  return (
    <Frame title={texts.title} actions={<ExportMenu list="calls" values={filter} />}>
      <FilterBar
        filters={filters}
        values={filter}
        change={change}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label={texts.list}
        total={<Total list="calls" values={filter} live={live} />}
        queryKey={['calls', filter]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={
          Object.keys(filter).length > 0 ? (
            <NothingMatches title={texts.noMatch.title} filters={filter}>
              {texts.noMatch.next}
            </NothingMatches>
          ) : (
            <Empty title={texts.none.title}>{texts.none.next(docs)}</Empty>
          )
        }
      />
      <Text size="sm" c="dimmed" mt="xs">
        {texts.notListed}
      </Text>
    </Frame>
  );
}

const docs = (
  <Anchor href="/docs" size="sm" underline="always">
    {'/docs'}
  </Anchor>
);
