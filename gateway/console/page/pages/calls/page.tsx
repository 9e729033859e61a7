import { Alert, Anchor } from '@mantine/core';
import { useCallback, useState } from 'react';
import { answer, api } from '../../lib/api.ts';
import type { Call, CallQuery } from '../../lib/calls.ts';
import { useDocuments } from '../../lib/documents.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { shortCaller } from '../../lib/format.ts';
import { queryOf } from '../../lib/listed.ts';
import { apiNames, serviceNames } from '../../lib/services.ts';
import { duration } from '../../lib/time.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { MethodAndPath } from '../../parts/method-and-path.tsx';
import { Named } from '../../parts/named.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { text } from '../../texts/index.ts';
import { LimitLeft } from './limit-left.tsx';

const labels = text.calls.filters;

const idOf = ({ id }: Call) => id;
const hrefOf = ({ id }: Call) => `/calls/${id}`;

const columns: ListColumn<Call>[] = [
  { header: text.calls.columns.time, kind: 'time', cell: ({ at }) => <Time at={at} /> },
  { header: text.calls.columns.call, cell: ({ method, path }) => <MethodAndPath method={method} path={path} /> },
  { header: text.calls.columns.status, kind: 'number', cell: ({ status }) => <HttpStatus status={status} /> },
  { header: text.calls.columns.error, kind: 'short', cell: ({ error_code }) => error_code },
  { header: text.calls.columns.operation, kind: 'name', cell: ({ operation }) => operation ?? '–' },
  {
    header: text.calls.columns.caller,
    kind: 'name',
    cell: ({ caller: id, caller_name: name }) => id !== null && <Named name={name} id={id} short={shortCaller(id)} />,
  },
  { header: text.calls.columns.duration, kind: 'number', cell: ({ duration_ms }) => duration(duration_ms) },
  { header: text.calls.columns.limitLeft, kind: 'short', cell: ({ limit_state }) => <LimitLeft of={limit_state} /> },
];

/** The operations to choose from: of the selected API, or of all services. */
function useOperations(chosen: string | undefined) {
  const documents = useDocuments(chosen === undefined ? serviceNames : apiNames.filter((name) => name === chosen));
  return documents
    .flatMap(({ data }) => data?.operations ?? [])
    .filter(({ webhook }) => !webhook)
    .map(({ id, summary }) => ({ value: id, label: summary }));
}

/** The recorded calls. */
export default function Calls() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(false);
  const [lost, setLost] = useState(0);
  const operations = useOperations(values.api);
  const filters: Filter[] = [
    { name: 'q', kind: 'search', width: 200, ...labels.text },
    { name: 'status', label: labels.status, kind: 'text', width: 90, placeholder: '404, 5xx', choices: statusChoices },
    { name: 'partner', kind: 'text', width: 150, ...labels.partner },
    { name: 'since', label: labels.time, kind: 'time' },
    { name: 'api', label: labels.api, kind: 'choice', choices: choices([...apiNames, 'gateway']), width: 100 },
    { name: 'error_code', label: labels.errorCode, kind: 'text', width: 150, placeholder: 'token_expired' },
    { name: 'operation', label: labels.operation, kind: 'text', width: 150, placeholder: 'createSale', choices: operations },
    { name: 'caller', label: labels.caller, kind: 'text', width: 150, placeholder: 'account:ID' },
    { name: 'ip', label: labels.address, kind: 'text', width: 120, placeholder: '127.0.0.1' },
    {
      name: 'method',
      label: labels.method,
      kind: 'choice',
      choices: choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      width: 90,
    },
    { name: 'limited', label: labels.limit, kind: 'choice', choices: [{ value: 'true', label: labels.refused }], width: 120 },
  ];
  const load = useCallback(
    async (cursor: string | undefined) => {
      const query = { ...queryOf('calls', values, Date.now()), cursor, limit: 50 } as CallQuery;
      const page = await answer(api.GET('/calls', { params: { query } }));
      setLost(page.recorder.lost);
      return page;
    },
    [values],
  );
  return (
    <Frame
      title={text.calls.title}
      actions={
        <>
          <SavedViews list="calls" values={values} />
          <ExportMenu list="calls" values={values} />
        </>
      }
    >
      <UnknownFilters list="calls" values={values} change={change} />
      <FilterBar
        filters={filters}
        values={values}
        change={change}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      {lost > 0 && (
        <Alert color="yellow" title={text.calls.lost.title(lost)}>
          {text.calls.lost.why}
        </Alert>
      )}
      <List
        label={text.calls.list}
        total={<Total list="calls" values={values} live={live} />}
        queryKey={['calls', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={Object.keys(values).length > 0 ? <NoMatch list="calls" values={values} {...text.calls.noMatch} /> : <NoCalls />}
      />
    </Frame>
  );
}

const statusChoices = Object.entries(labels.statuses).map(([value, label]) => ({ value, label }));

function NoCalls() {
  const docs = (
    <Anchor href="/docs" size="sm" underline="always">
      {'/docs'}
    </Anchor>
  );
  return <Empty title={text.calls.none.title}>{text.calls.none.next(docs)}</Empty>;
}
