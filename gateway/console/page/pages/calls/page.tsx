import { Alert, Anchor, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { answer, api } from '../../lib/api.ts';
import type { Call, CallQuery } from '../../lib/calls.ts';
import { useDocuments } from '../../lib/documents.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { plural, shortCaller } from '../../lib/format.ts';
import { queryOf } from '../../lib/listed.ts';
import { apiNames, serviceNames } from '../../lib/services.ts';
import { duration } from '../../lib/time.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { LimitLeft } from './limit-left.tsx';

const idOf = ({ id }: Call) => id;
const hrefOf = ({ id }: Call) => `/calls/${id}`;

const columns: ListColumn<Call>[] = [
  { header: 'Time', width: 196, cell: ({ at }) => <Time at={at} /> },
  { header: 'Call', cell: ({ method, path }) => <MethodAndPath method={method} path={path} /> },
  { header: 'Status', width: 66, cell: ({ status }) => <HttpStatus status={status} /> },
  { header: 'Error', width: 125, cell: ({ error_code }) => error_code },
  { header: 'Operation', width: 130, cell: ({ operation }) => operation ?? '–' },
  {
    header: 'Caller',
    width: 160,
    cell: (call) => call.caller !== null && <Caller caller={call.caller} name={call.caller_name} />,
  },
  { header: 'Duration', width: 85, cell: ({ duration_ms }) => duration(duration_ms) },
  { header: 'Limit left', width: 110, cell: ({ limit_state }) => <LimitLeft of={limit_state} /> },
];

/** The caller's name, and its id. */
function Caller({ caller, name }: { caller: string; name: string | null }) {
  return (
    <span title={name === null ? caller : `${name} (${caller})`}>
      {name !== null && <bdi>{name} </bdi>}
      <Text span size="xs" c="dimmed">
        {shortCaller(caller)}
      </Text>
    </span>
  );
}

/** A call's method and path. The API's common prefix is dimmed. */
function MethodAndPath({ method, path }: { method: string; path: string }) {
  const [, base = '', rest = path] = /^(\/[a-z]+(?:\/api)?\/v1)(\/.*)$/s.exec(path) ?? [];
  return (
    <span className="mono" title={path}>
      <b>{method}</b>{' '}
      <Text span inherit c="dimmed">
        {base}
      </Text>
      {rest}
    </span>
  );
}

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
    { name: 'q', label: 'Text in path or body', kind: 'search', placeholder: 'a reference, an id … (/)', width: 200 },
    { name: 'status', label: 'Status', kind: 'text', width: 90, placeholder: '404, 5xx', choices: statusChoices },
    { name: 'partner', label: 'Partner', kind: 'text', width: 150, placeholder: 'part of a name' },
    { name: 'since', label: 'Time', kind: 'time' },
    { name: 'api', label: 'API', kind: 'choice', choices: choices([...apiNames, 'gateway']), width: 100 },
    { name: 'error_code', label: 'Error code', kind: 'text', width: 150, placeholder: 'token_expired' },
    { name: 'operation', label: 'Operation', kind: 'text', width: 150, placeholder: 'createSale', choices: operations },
    { name: 'caller', label: 'Caller', kind: 'text', width: 150, placeholder: 'account:ID' },
    { name: 'ip', label: 'IP address', kind: 'text', width: 120, placeholder: '127.0.0.1' },
    { name: 'method', label: 'Method', kind: 'choice', choices: choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), width: 90 },
    { name: 'limited', label: 'Limit', kind: 'choice', choices: [{ value: 'true', label: 'refused' }], width: 120 },
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
      title="Calls"
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
        <Alert color="yellow" title={`${plural(lost, 'call')} not recorded`}>
          The recorder was overloaded and dropped them, counted since the gateway started.
        </Alert>
      )}
      <List
        label="Calls, newest first"
        total={<Total list="calls" values={values} live={live} />}
        queryKey={['calls', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={<NoCalls filtered={Object.keys(values).length > 0} />}
      />
    </Frame>
  );
}

const statusChoices = [
  { value: '2xx', label: 'succeeded' },
  { value: '4xx', label: 'refused' },
  { value: '5xx', label: 'failed' },
];

function NoCalls({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No matching calls">Remove a filter, or choose a longer time.</Empty>;
  return (
    <Empty title="No calls yet">
      Every call to the APIs is recorded here with its request and response, including refused calls. Try an operation at{' '}
      <Anchor href="/docs" size="sm" underline="always">
        /docs
      </Anchor>
      .
    </Empty>
  );
}
