import { PageLink } from '../../parts/page-link.tsx';
import './audit.css';
import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { linkTo, pickFilters, useFilters, withStartTime } from '../../lib/filters.ts';
import { exportUrl } from '../../lib/listed.ts';
import { partnerPages } from '../../lib/partners.ts';
import { Empty, NothingMatches } from '../../parts/empty.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Hint } from '../../parts/hint.tsx';
import { IconDownload } from '../../parts/icons/tabler.ts';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { auditedActions, wordsOfAction } from './actions.ts';

type Query = NonNullable<paths['/audit']['get']['parameters']['query']>;
type Entry = paths['/audit']['get']['responses'][200]['content']['application/json']['data'][number];

const apiFilters = ['q', 'operator', 'action', 'target', 'ok', 'from', 'to'];

const words = text.audit;
const labels = words.filters;

const filters: Filter[] = [
  { name: 'q', label: labels.q, kind: 'search', placeholder: labels.qExample },
  { name: 'operator', label: labels.operator, kind: 'text', width: 150, placeholder: labels.operatorExample },
  {
    name: 'action',
    label: labels.action,
    kind: 'text',
    width: 170,
    placeholder: 'rotateEndpointSecret',
    choices: auditedActions,
  },
  { name: 'target', label: labels.target, kind: 'text', width: 150, placeholder: labels.targetExample },
  { name: 'ok', label: labels.ok, kind: 'choice', choices: [{ value: 'false', label: labels.failed }] },
  { name: 'since', label: labels.since, kind: 'time' },
];

/** Who did what, and when. */
export default function Audit() {
  const [values, change] = useFilters();
  const query = pickFilters(withStartTime(values, Date.now()), apiFilters);
  return (
    <Frame
      title={words.title}
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
  const filters = pickFilters(values, [...apiFilters, 'since']);
  const searchedTo = data.pages.at(-1)?.searched_to ?? null;
  return (
    <Stack>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      {entries.length === 0 ? (
        Object.keys(filters).length > 0 ? (
          <NothingMatches title={words.noMatch.title} filters={filters}>
            {words.noMatch.next}
          </NothingMatches>
        ) : (
          <Empty title={words.empty.title}>{words.empty.next}</Empty>
        )
      ) : (
        <Paper withBorder>
          <ol className="audit" aria-label={words.entries}>
            {entries.map((entry) => (
              <AuditEntry key={entry.id} entry={entry} />
            ))}
          </ol>
        </Paper>
      )}
      {read.hasNextPage && (
        <Group gap="sm">
          <Button variant="default" size="xs" loading={read.isFetchingNextPage} onClick={() => read.fetchNextPage()}>
            {words.older}
          </Button>
          {searchedTo !== null && <Hint>{text.parts.list.searchedTo(<Time at={searchedTo} />)}</Hint>}
        </Group>
      )}
    </Stack>
  );
}

function AuditEntry({ entry }: { entry: Entry }) {
  const { at, operator, operator_name, action, ok, target, ip, call_id, changes, more } = entry;
  return (
    <li>
      <Text size="sm">
        <Time at={at} />
      </Text>
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600} className="break-anywhere">
            <Actor id={operator} name={operator_name} />
          </Text>
          <Text size="sm" className="break-anywhere">
            {ok ? wordsOfAction(action) : words.signInFailed}
          </Text>
          {!ok && <Badge color="red">{words.wrongCredential}</Badge>}
          {target !== null && (
            <Text size="sm" className="mono break-anywhere">
              {target}
            </Text>
          )}
          {call_id !== '' && (
            <>
              <Hint>{words.from(ip)}</Hint>
              <PageLink href={`/calls/${encodeURIComponent(call_id)}`}>{words.call}</PageLink>
            </>
          )}
        </Group>
        {changes.length > 0 && (
          <details>
            <summary>
              <Text size="sm" component="span">
                {words.whatChanged}
              </Text>
            </summary>
            {changes.map((row) => (
              <ChangedRow key={`${row.table} ${row.id}`} row={row} />
            ))}
            {more > 0 && <Hint>{words.more(more)}</Hint>}
          </details>
        )}
      </Stack>
    </li>
  );
}

/** Who did it: an operator, or a partner with its name and its page. */
function Actor({ id, name }: { id: string | null; name: string | null }) {
  if (id === null) return words.someone;
  const [, kind, ofKind] = /^(account|user):(.+)$/.exec(id) ?? [];
  if (kind === undefined || ofKind === undefined) return id;
  const href = linkTo(partnerPages[kind as keyof typeof partnerPages], { row: ofKind });
  return (
    <Anchor component={Link} inherit href={href} title={id}>
      {name === null ? id : <bdi>{name}</bdi>}
    </Anchor>
  );
}

const ChangedRow = ({ row: { table, id, did, fields } }: { row: Entry['changes'][number] }) => (
  <div className="changed">
    <Text size="sm" className="break-anywhere">
      {words.did[did](
        <>
          {table} <span className="mono">{id}</span>
        </>,
      )}
    </Text>
    <ul>
      {Object.entries(fields).map(([name, { before, after }]) => (
        <li key={name} className="break-anywhere">
          {words.field(name)} {did === 'created' ? null : <s>{JSON.stringify(before)}</s>} {JSON.stringify(after)}
        </li>
      ))}
    </ul>
  </div>
);
