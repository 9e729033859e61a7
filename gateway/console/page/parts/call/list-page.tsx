import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { answer, api } from '../../lib/api.ts';
import type { Call, CallQuery } from '../../lib/calls.ts';
import { labelled } from '../../lib/filters.ts';
import { duration } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';
import { Empty } from '../empty.tsx';
import { ExportMenu } from '../export-menu.tsx';
import type { Filter } from '../filter-bar.tsx';
import type { FilteredList, FilteredListProps } from '../filtered-list.tsx';
import { Frame } from '../frame.tsx';
import type { ListColumn } from '../list.tsx';
import { MethodAndPath } from '../method-and-path.tsx';
import { HttpStatus } from '../status.tsx';
import { Time } from '../time.tsx';

const says = text.calls;
const { filters: labels, columns: headers } = says;

interface CallsPageProps extends Pick<FilteredListProps<Call>, 'values' | 'filters' | 'columns' | 'children'> {
  List: typeof FilteredList;
  read?: typeof readCalls;
  /** Shown below the list. */
  below?: ReactNode;
}

export const CallsPage = ({ List, read = readCalls, below, ...list }: CallsPageProps) => (
  <Frame title={says.title} actions={<ExportMenu list="calls" values={list.values} />}>
    <List
      {...list}
      list="calls"
      label={says.list}
      read={read}
      noMatch={says.noMatch}
      none={<Empty title={says.none.title}>{says.none.next(docs)}</Empty>}
    />
    {below}
  </Frame>
);

const docs = (
  <Anchor href="/docs" size="sm" underline="always">
    {'/docs'}
  </Anchor>
);

export const readCalls = (query: CallQuery) => answer(api.GET('/calls', { params: { query } }));

/** The columns that every viewer has. */
export const callColumns = {
  time: { header: headers.time, kind: 'time', cell: ({ at }) => <Time at={at} /> },
  call: { header: headers.call, cell: ({ method, path }) => <MethodAndPath method={method} path={path} /> },
  status: { header: headers.status, kind: 'number', cell: ({ status }) => <HttpStatus status={status} /> },
  error: { header: headers.error, kind: 'name', cell: ({ error_code }) => error_code },
  operation: { header: headers.operation, kind: 'name', cell: ({ operation }) => operation },
  duration: { header: headers.duration, kind: 'number', cell: ({ duration_ms }) => duration(duration_ms) },
} satisfies Record<string, ListColumn<Call>>;

/** The filters that every viewer has. */
export const callFilters = {
  q: { name: 'q', kind: 'search', ...labels.text },
  status: { name: 'status', label: labels.status, kind: 'choice', choices: labelled(labels.statuses) },
  since: { name: 'since', label: labels.time, kind: 'time' },
  operation: { name: 'operation', label: labels.operation, kind: 'choice' },
  error_code: { name: 'error_code', label: labels.errorCode, kind: 'text', placeholder: 'token_expired' },
  limited: { name: 'limited', label: labels.limit, kind: 'choice', choices: [{ value: 'true', label: labels.refused }] },
} satisfies Record<string, Filter>;
