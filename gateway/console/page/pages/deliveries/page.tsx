import { Button } from '@mantine/core';
import { IconRotateClockwise } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEndpointChoices, useEndpointName } from '../../lib/endpoint-names.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { type FilterValues, linkTo, only, useFilters, withInstant } from '../../lib/filters.ts';
import { words } from '../../lib/format.ts';
import { useReasons } from '../../lib/reasons.ts';
import { Empty } from '../../parts/empty.tsx';
import { EndpointName } from '../../parts/endpoint/name.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;
type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Delivery) => id;
const toneOf = ({ status }: Delivery) => (status === 'failed' ? 'bad' : undefined);
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;

const states = ['pending', 'delivered', 'failed', 'skipped'].map((value) => ({
  value,
  label: value === 'failed' ? 'failed (dead letters)' : value,
}));

const waits = [
  { value: 'time', label: 'its time' },
  { value: 'turn', label: 'its turn' },
];

const asked = ['q', 'status', 'reason', 'endpoint_id', 'event_id', 'event_type', 'response_status', 'waits_for', 'from', 'to'];
/** The search field is for an event's id too, which is found at once: in the address it is `event_id`. */
const shownOf = ({ q, event_id, ...values }: FilterValues): FilterValues =>
  (q ?? event_id) === undefined ? values : { ...values, q: q ?? event_id ?? '' };
const isEventId = (text: string | undefined) => text !== undefined && /^evt_\w+$/.test(text);

const asSearched = (text: string | undefined) =>
  isEventId(text) ? { q: undefined, event_id: text } : { q: text, event_id: undefined };

/** The log of deliveries: every filter is in the address. */
export default function Deliveries() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(false);
  const filters = useDeliveryFilters(values.endpoint_id);
  const columns = useColumns();
  const load = useCallback(
    async (cursor: string | undefined) => {
      // The API checks what stands in the address, and says what is wrong with it.
      const query = { ...only(withInstant(values, Date.now()), asked), cursor, limit: 50 } as Query;
      return answer(api.GET('/deliveries', { params: { query } }));
    },
    [values],
  );
  return (
    <Frame title="Deliveries" actions={<RecoverLink values={values} />}>
      <FilterBar
        filters={filters}
        values={shownOf(values)}
        change={(changed) => change('q' in changed ? { ...changed, ...asSearched(changed.q) } : changed)}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label="Deliveries, newest first"
        noun={['delivery', 'deliveries']}
        queryKey={['deliveries', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        toneOf={toneOf}
        empty={Object.keys(values).length > 0 ? nothingFits : nothingYet}
      />
    </Frame>
  );
}

const nothingFits = <Empty title="No delivery fits these filters">Take one away, or look over a longer time.</Empty>;

const nothingYet = (
  <Empty title="No deliveries yet">
    A delivery is made when something happens that an endpoint wants. Add an endpoint under Endpoints, and send it a test event.
  </Empty>
);

/** Dead letters of one endpoint are sent again by a recovery. */
function RecoverLink({ values: { endpoint_id, status } }: { values: FilterValues }) {
  if (endpoint_id === undefined || status !== 'failed') return null;
  return (
    <Button
      component={Link}
      href={linkTo(`/endpoints/${encodeURIComponent(endpoint_id)}`, { recover: '1' })}
      size="xs"
      variant="light"
      leftSection={<IconRotateClockwise size={14} aria-hidden />}
    >
      Recover failed ones
    </Button>
  );
}

function useDeliveryFilters(endpointId: string | undefined): Filter[] {
  const reasons = useReasons();
  const endpoints = useEndpointChoices();
  const chosen = useEndpointName(endpointId);
  const types = useEventTypes();
  return useMemo<Filter[]>(
    () => [
      { name: 'q', label: 'Text in the payload, or event id', kind: 'search', placeholder: 'a reference, evt_… (/)' },
      { name: 'status', label: 'State', kind: 'choice', choices: states },
      {
        name: 'reason',
        label: 'Error',
        kind: 'choice',
        choices: reasons.map(({ reason, title }) => ({ value: reason, label: title })),
        width: 150,
      },
      {
        name: 'endpoint_id',
        label: 'Endpoint',
        kind: 'choice',
        choices: [
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
          // An older one comes from its own page.
          ...(endpointId === undefined || endpoints.some(({ id }) => id === endpointId)
            ? []
            : [{ value: endpointId, label: chosen }]),
        ],
        width: 200,
      },
      {
        name: 'event_type',
        label: 'Event type',
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 150,
      },
      { name: 'waits_for', label: 'Waits for', kind: 'choice', choices: waits, width: 110 },
      { name: 'response_status', label: 'HTTP status', kind: 'text', width: 90, placeholder: '503' },
      { name: 'since', label: 'Time', kind: 'time' },
    ],
    [reasons, endpoints, endpointId, chosen, types],
  );
}

function useColumns(): ListColumn<Delivery>[] {
  const reasons = useReasons();
  return useMemo(
    () => [
      { header: 'Made', width: 140, cell: ({ created_at }) => <Time at={created_at} /> },
      { header: 'State', width: 92, cell: ({ status }) => <Status of={status} /> },
      { header: 'Event', cell: ({ event_type }) => event_type },
      { header: 'Endpoint', wide: true, cell: ({ endpoint_id }) => <EndpointName id={endpoint_id} /> },
      { header: 'Answer', width: 72, wide: true, cell: ({ response_status }) => <HttpStatus status={response_status} /> },
      {
        header: 'Why',
        wide: true,
        width: 170,
        cell: ({ reason }) => (reason === null ? '' : (reasons.find((known) => known.reason === reason)?.title ?? words(reason))),
      },
      { header: 'Attempts', width: 76, wide: true, cell: ({ attempts }) => attempts },
      {
        header: 'Next attempt',
        width: 128,
        wide: true,
        cell: ({ next_attempt_at, waits_for }) =>
          waits_for === 'turn' ? 'when it is its turn' : next_attempt_at === null ? '' : <RelativeTime at={next_attempt_at} />,
      },
    ],
    [reasons],
  );
}
