import { useCallback, useMemo, useState } from 'react';
import { answer, api, type paths } from '../lib/api.ts';
import { useEndpointNames } from '../lib/endpoints.ts';
import { useFilters, withInstant } from '../lib/filters.ts';
import { words } from '../lib/format.ts';
import { useReasons } from '../lib/reasons.ts';
import { Empty } from '../parts/empty.tsx';
import { type Filter, FilterBar } from '../parts/filter-bar.tsx';
import { List, type ListColumn } from '../parts/list.tsx';
import { Frame } from '../parts/page.tsx';
import { HttpStatus, Status } from '../parts/status.tsx';
import { Ago, Time } from '../parts/time.tsx';

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;
type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Delivery) => id;
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;

const states = ['pending', 'delivered', 'failed', 'skipped'].map((value) => ({
  value,
  label: value === 'failed' ? 'failed (dead letters)' : value,
}));

/** The log of deliveries: every filter is in the address. */
export default function Deliveries() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(false);
  const reasons = useReasons();
  const endpoints = useEndpointNames();
  const filters = useMemo<Filter[]>(
    () => [
      { name: 'q', label: 'Text in the payload', kind: 'search', placeholder: 'an id, a reference … (/)' },
      { name: 'status', label: 'State', kind: 'choice', choices: states },
      {
        name: 'reason',
        label: 'Error',
        kind: 'choice',
        choices: reasons.map(({ reason, title }) => ({ value: reason, label: title })),
      },
      {
        name: 'endpoint_id',
        label: 'Endpoint',
        kind: 'choice',
        choices: endpoints.map(({ id, url }) => ({ value: id, label: url })),
        width: 200,
      },
      { name: 'event_type', label: 'Event type', kind: 'text', width: 150, placeholder: 'sale.completed' },
      { name: 'response_status', label: 'HTTP status', kind: 'text', width: 90, placeholder: '503' },
      { name: 'since', label: 'Time', kind: 'time' },
    ],
    [reasons, endpoints],
  );
  const load = useCallback(
    async (cursor: string | undefined) => {
      // The API checks what stands in the address, and says what is wrong with it.
      const query = { ...withInstant(values, Date.now()), cursor, limit: 50 } as Query;
      return answer(api.GET('/deliveries', { params: { query } }));
    },
    [values],
  );
  const columns = useMemo<ListColumn<Delivery>[]>(
    () => [
      { header: 'Made', width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
      { header: 'State', width: 110, cell: ({ status }) => <Status of={status} /> },
      { header: 'Event', cell: ({ event_type }) => event_type },
      {
        header: 'Endpoint',
        wide: true,
        cell: ({ endpoint_id }) => endpoints.find(({ id }) => id === endpoint_id)?.url ?? endpoint_id,
      },
      { header: 'Answer', width: 80, wide: true, cell: ({ response_status }) => <HttpStatus status={response_status} /> },
      { header: 'Why', wide: true, width: 170, cell: ({ reason }) => (reason === null ? '' : words(reason)) },
      { header: 'Attempts', width: 80, wide: true, cell: ({ attempts }) => attempts },
      {
        header: 'Next attempt',
        width: 130,
        wide: true,
        cell: ({ next_attempt_at, waits_for }) =>
          waits_for === 'turn' ? 'when it is its turn' : next_attempt_at === null ? '' : <Ago at={next_attempt_at} />,
      },
    ],
    [endpoints],
  );
  return (
    <Frame title="Deliveries">
      <FilterBar
        filters={filters}
        values={values}
        change={change}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label="Deliveries, newest first"
        queryKey={['deliveries', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={
          Object.keys(values).length > 0 ? (
            <Empty title="No delivery fits these filters">Take one away, or look over a longer time.</Empty>
          ) : (
            <Empty title="No deliveries yet">
              A delivery is made when something happens that an endpoint wants. Add an endpoint under Endpoints, and send it a
              test event.
            </Empty>
          )
        }
      />
    </Frame>
  );
}
