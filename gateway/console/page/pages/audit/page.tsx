import './audit.css';
import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { pickFilters, useFilters, withStartTime } from '../../lib/filters.ts';
import { exportUrl } from '../../lib/listed.ts';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Older } from '../../parts/older.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';

type Query = NonNullable<paths['/audit']['get']['parameters']['query']>;
type Entry = paths['/audit']['get']['responses'][200]['content']['application/json']['data'][number];

const apiFilters = ['q', 'operator', 'action', 'target', 'ok', 'from', 'to'];

const filters: Filter[] = [
  { name: 'q', label: 'Text in what changed', kind: 'search', placeholder: 'an id, a value (/)' },
  { name: 'operator', label: 'Operator', kind: 'text', width: 150, placeholder: 'operator:NAME' },
  { name: 'action', label: 'Action', kind: 'text', width: 170, placeholder: 'rotateEndpointSecret' },
  { name: 'target', label: 'Target', kind: 'text', width: 150, placeholder: 'an id' },
  { name: 'ok', label: 'Outcome', kind: 'choice', choices: [{ value: 'false', label: 'failed sign-ins' }] },
  { name: 'since', label: 'Time', kind: 'time' },
];

/** Who did what, and when. */
export default function Audit() {
  const [values, change] = useFilters();
  const query = pickFilters(withStartTime(values, Date.now()), apiFilters);
  return (
    <Frame
      title="Audit"
      actions={(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          href={exportUrl('/audit', format, query)}
          download={`audit.${format}`}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    >
      <FilterBar filters={filters} values={values} change={change} />
      <Entries values={values} />
    </Frame>
  );
}

function Entries({ values }: { values: Record<string, string> }) {
  const read = useInfiniteQuery({
    queryKey: ['audit', values],
    queryFn: async ({ pageParam: cursor }: { pageParam: string | null }) => {
      const query = {
        ...pickFilters(withStartTime(values, Date.now()), apiFilters),
        ...(cursor !== null && { cursor }),
        limit: 50,
      };
      return answer(api.GET('/audit', { params: { query: query as Query } }));
    },
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
  });
  const { data } = read;
  if (!data) return read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />;
  const entries = data.pages.flatMap((page) => page.data);
  const searchedTo = data.pages.at(-1)?.searched_to ?? null;
  return (
    <Stack>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      {entries.length === 0 ? (
        <Empty title="No entries">Changes, sign-ins and exports appear here.</Empty>
      ) : (
        <Paper withBorder>
          <ol className="audit" aria-label="Entries, newest first">
            {entries.map((entry) => (
              <AuditEntry key={entry.id} entry={entry} />
            ))}
          </ol>
        </Paper>
      )}
      {read.hasNextPage && (
        <Older
          label="Older entries"
          loading={read.isFetchingNextPage}
          load={() => read.fetchNextPage()}
          searchedTo={searchedTo}
        />
      )}
    </Stack>
  );
}

function AuditEntry({ entry }: { entry: Entry }) {
  const { at, operator, action, ok, target, ip, call_id, changes, more } = entry;
  return (
    <li>
      <Text size="sm">
        <Time at={at} />
      </Text>
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600} className="break-anywhere">
            {operator ?? 'someone'}
          </Text>
          <Text size="sm" className="break-anywhere">
            {words(action)}
          </Text>
          {!ok && (
            <Badge color="red" variant="light" size="sm" tt="none">
              wrong credential
            </Badge>
          )}
          {target !== null && (
            <Text size="sm" className="mono break-anywhere">
              {target}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            from {ip}
          </Text>
          <Anchor component={Link} size="sm" href={`/calls/${encodeURIComponent(call_id)}`}>
            call
          </Anchor>
        </Group>
        {changes.length > 0 && (
          <details>
            <summary>
              <Text size="sm" component="span">
                What changed
              </Text>
            </summary>
            {changes.map((row) => (
              <ChangedRow key={`${row.table} ${row.id}`} row={row} />
            ))}
            {more > 0 && (
              <Text size="sm" c="dimmed">
                And other rows: {more}
              </Text>
            )}
          </details>
        )}
      </Stack>
    </li>
  );
}

function ChangedRow({ row: { table, id, did, fields } }: { row: Entry['changes'][number] }) {
  return (
    <div className="changed">
      <Text size="sm" className="break-anywhere">
        {table} <span className="mono">{id}</span> {did}
      </Text>
      <ul>
        {Object.entries(fields).map(([name, { before, after }]) => (
          <li key={name} className="break-anywhere">
            {name}: {did === 'created' ? null : <s>{JSON.stringify(before)}</s>} {JSON.stringify(after)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `rotateEndpointSecret` as words. */
const words = (action: string) => action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
