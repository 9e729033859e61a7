import { Alert, Group, Progress, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { Call, CallQuery } from '../../lib/calls.ts';
import { useDocuments } from '../../lib/documents.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { count, shortCaller } from '../../lib/format.ts';
import { apiNames, serviceNames } from '../../lib/services.ts';
import { CallsPage, callColumns, callFilters, readCalls } from '../../parts/call/list-page.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import type { ListColumn } from '../../parts/list.tsx';
import { Named } from '../../parts/named.tsx';
import { OperatorList } from '../../parts/operator-list.tsx';
import { partnerFilter } from '../../parts/owner-filter.ts';
import { colourOfUse } from '../../parts/use-colour.ts';
import { text } from '../../texts/index.ts';

const labels = text.calls.filters;

const columns: ListColumn<Call>[] = [
  callColumns.time,
  callColumns.call,
  callColumns.status,
  { ...callColumns.error, kind: 'short' },
  { ...callColumns.operation, cell: ({ operation }) => operation ?? '–' },
  {
    header: text.calls.columns.caller,
    kind: 'name',
    cell: ({ caller: id, caller_name: name }) => id !== null && <Named name={name} id={id} short={shortCaller(id)} />,
  },
  callColumns.duration,
  { header: text.calls.columns.limitLeft, kind: 'short', cell: ({ limit_state }) => <LimitLeft of={limit_state} /> },
];

/** The operations to choose from: of the selected API, or of all services. */
function useOperations(chosen: string | undefined) {
  const documents = useDocuments(chosen === undefined ? serviceNames : apiNames.filter((name) => name === chosen));
  return documents
    .flatMap(({ data = [] }) => data)
    .filter(({ webhook }) => !webhook)
    .map(({ id, summary }) => ({ value: id, label: summary }));
}

/** The recorded calls of all callers. */
export default function Calls() {
  const [values] = useFilters();
  const [lost, setLost] = useState(0);
  const operations = useOperations(values.api);
  const filters: Filter[] = [
    { ...callFilters.q, width: 200 },
    { ...callFilters.status, kind: 'text', width: 90, placeholder: '404, 5xx' },
    partnerFilter,
    callFilters.since,
    { name: 'api', label: labels.api, kind: 'choice', choices: choices([...apiNames, 'gateway']), width: 100 },
    { ...callFilters.error_code, width: 150 },
    { ...callFilters.operation, kind: 'text', width: 150, placeholder: 'createSale', choices: operations },
    { name: 'caller', label: labels.caller, kind: 'text', width: 150, placeholder: 'account:ID' },
    { name: 'ip', label: labels.address, kind: 'text', width: 120, placeholder: '127.0.0.1' },
    {
      name: 'method',
      label: labels.method,
      kind: 'choice',
      choices: choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      width: 90,
    },
    { ...callFilters.limited, width: 120 },
  ];
  const read = useCallback(async (query: CallQuery) => {
    const page = await readCalls(query);
    setLost(page.recorder.lost);
    return page;
  }, []);
  return (
    <CallsPage List={OperatorList} values={values} filters={filters} read={read} columns={columns}>
      {lost > 0 && (
        <Alert color="yellow" title={text.calls.lost.title(lost)}>
          {text.calls.lost.why}
        </Alert>
      )}
    </CallsPage>
  );
}

/** The calls left, after this call, of the limit that was nearest to being exceeded. */
function LimitLeft({ of: state }: { of: Call['limit_state'] }) {
  if (state === null) return <Text size="sm">{text.calls.noLimit}</Text>;
  const name = text.limitUse.names[state.name] ?? state.name;
  const used = state.limit === 0 ? 1 : (state.limit - state.remaining) / state.limit;
  return (
    <Group gap={6} wrap="nowrap" title={name}>
      <Progress
        value={used * 100}
        color={colourOfUse(used)}
        size="sm"
        w={32}
        aria-label={text.calls.used(name, `${Math.round(used * 100)} %`)}
      />
      <span>{`${count(state.remaining)} / ${count(state.limit)}`}</span>
    </Group>
  );
}
