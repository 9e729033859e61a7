import { IconRotateClockwise } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEndpointChoices, useEndpointName } from '../../lib/endpoint-names.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { type FilterValues, useFilters } from '../../lib/filters.ts';
import { queryOf, savedFilters } from '../../lib/listed.ts';
import { titleOfReason, useReasons } from '../../lib/reasons.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { EndpointName } from '../../parts/endpoint/name.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { RetryDrawer } from '../../parts/retry/drawer.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { Subject } from '../../parts/subject.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;
type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Delivery) => id;
const toneOf = ({ status }: Delivery) => (status === 'failed' ? 'error' : undefined);
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;

const states = ['pending', 'delivered', 'failed', 'skipped'].map((value) => ({
  value,
  label: value === 'failed' ? 'failed (dead letters)' : value,
}));

const waits = [
  { value: 'time', label: 'its next attempt' },
  { value: 'turn', label: 'its turn' },
];

/** The search field also takes an event's id. In the address it is `event_id`, which is faster than a search. */
const shownFilters = ({ q, event_id, ...values }: FilterValues): FilterValues =>
  (q ?? event_id) === undefined ? values : { ...values, q: q ?? event_id ?? '' };
const isEventId = (text: string | undefined) => text !== undefined && /^evt_\w+$/.test(text);

const searchOrEventId = (text: string | undefined) =>
  isEventId(text) ? { q: undefined, event_id: text } : { q: text, event_id: undefined };

/** The deliveries. */
export default function Deliveries() {
  const [values, change] = useFilters();
  const { retry, recovery, ...filter } = values;
  const [live, setLive] = useState(false);
  const filters = useDeliveryFilters(values.endpoint_id);
  const columns = useColumns();
  const load = useCallback(
    async (cursor: string | undefined) => {
      // The API validates the filters in the address.
      const query = { ...queryOf('deliveries', values, Date.now()), cursor, limit: 50 } as Query;
      return answer(api.GET('/deliveries', { params: { query } }));
    },
    [values],
  );
  return (
    <Frame
      title="Deliveries"
      actions={
        <>
          <RetryButton values={values} open={() => change({ retry: '1' })} />
          <SavedViews list="deliveries" values={filter} />
          <ExportMenu list="deliveries" values={filter} />
        </>
      }
    >
      <UnknownFilters list="deliveries" values={filter} change={change} />
      <FilterBar
        filters={filters}
        values={shownFilters(values)}
        change={(changed) => change('q' in changed ? { ...changed, ...searchOrEventId(changed.q) } : changed)}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label="Deliveries, newest first"
        total={<Total list="deliveries" values={filter} live={live} />}
        queryKey={['deliveries', savedFilters('deliveries', values)]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        toneOf={toneOf}
        empty={Object.keys(filter).length > 0 ? noMatches : noDeliveries}
      />
      <RetryDrawer
        filter={filter}
        opened={retry === '1' || recovery !== undefined}
        recovery={recovery}
        show={(started) => change({ retry: undefined, recovery: started })}
        close={() => change({ retry: undefined, recovery: undefined })}
      />
    </Frame>
  );
}

const noMatches = <Empty title="No matching deliveries">Remove a filter, or choose a longer time.</Empty>;

const noDeliveries = (
  <Empty title="No deliveries yet">
    A delivery is created for each endpoint that an event matches. Create an endpoint under Endpoints and send it a test event.
  </Empty>
);

/**
 * Opens the dialog that sends the listed deliveries now. Delivered ones are not sent again by a list. A recovery has no filter
 * by a partner's name, so it would send more than the list shows.
 */
function RetryButton({ values: { status, partner }, open }: { values: FilterValues; open(): void }) {
  if (status === 'delivered' || partner !== undefined) return null;
  return (
    <ChangeButton leftSection={<IconRotateClockwise size={14} aria-hidden />} onClick={open}>
      Retry these now
    </ChangeButton>
  );
}

function useDeliveryFilters(endpointId: string | undefined): Filter[] {
  const reasons = useReasons();
  const endpoints = useEndpointChoices();
  const chosen = useEndpointName(endpointId);
  const types = useEventTypes();
  return useMemo<Filter[]>(
    () => [
      { name: 'q', label: 'Text in payload, or event id', kind: 'search', placeholder: 'a reference, evt_… (/)' },
      { name: 'status', label: 'Status', kind: 'choice', choices: states },
      {
        name: 'endpoint_id',
        label: 'Endpoint',
        kind: 'choice',
        choices: [
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
          // The link from an older endpoint's page may name one that is not among them.
          ...(endpointId === undefined || chosen === endpointId || endpoints.some(({ id }) => id === endpointId)
            ? []
            : [{ value: endpointId, label: chosen }]),
        ],
        width: 200,
      },
      { name: 'since', label: 'Time', kind: 'time' },
      {
        name: 'reason',
        label: 'Error',
        kind: 'choice',
        choices: reasons.map(({ reason, title }) => ({ value: reason, label: title })),
        width: 150,
      },
      {
        name: 'event_type',
        label: 'Event type',
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 150,
      },
      { name: 'partner', label: 'Partner', kind: 'text', width: 150, placeholder: 'part of a name' },
      { name: 'waits_for', label: 'Waits for', kind: 'choice', choices: waits, width: 110 },
      { name: 'response_status', label: 'HTTP status', kind: 'text', width: 90, placeholder: '503' },
    ],
    [reasons, endpoints, endpointId, chosen, types],
  );
}

function useColumns(): ListColumn<Delivery>[] {
  const reasons = useReasons();
  return useMemo(
    () => [
      { header: 'Created', width: 196, cell: ({ created_at }) => <Time at={created_at} /> },
      { header: 'Status', width: 92, cell: ({ status }) => <Status of={status} /> },
      { header: 'Event', cell: ({ event_type }) => event_type },
      { header: 'Store or structure', cell: (about) => about.subject !== null && <Subject of={about} /> },
      { header: 'Endpoint', cell: ({ endpoint_id }) => <EndpointName id={endpoint_id} /> },
      { header: 'Response', width: 82, cell: ({ response_status }) => <HttpStatus status={response_status} /> },
      {
        header: 'Error',
        width: 140,
        cell: ({ reason }) => (reason === null ? '' : titleOfReason(reasons, reason)),
      },
      { header: 'Attempts', width: 76, cell: ({ attempts }) => attempts },
      {
        header: 'Next attempt',
        width: 128,
        cell: ({ next_attempt_at, waits_for }) =>
          waits_for === 'turn' ? 'waiting in turn' : next_attempt_at === null ? '' : <RelativeTime at={next_attempt_at} />,
      },
    ],
    [reasons],
  );
}
