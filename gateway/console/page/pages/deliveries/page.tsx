import { useCallback, useMemo, useState } from 'react';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEndpointChoices, useEndpointName } from '../../lib/endpoint-names.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { type FilterValues, useFilters } from '../../lib/filters.ts';
import { queryOf, savedFilters } from '../../lib/listed.ts';
import { reasons } from '../../lib/reasons.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { TriggerCommand } from '../../parts/code.tsx';
import { Result } from '../../parts/delivery/result.tsx';
import { TestBadge } from '../../parts/delivery/test-badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { OwnedEndpoint } from '../../parts/endpoint/name.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { IconRotateClockwise } from '../../parts/icons/tabler.ts';
import { List, type ListColumn } from '../../parts/list.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.ts';
import { RetryDrawer } from '../../parts/retry/drawer.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { text } from '../../texts/index.ts';

const says = text.deliveries;

type Query = NonNullable<paths['/deliveries']['get']['parameters']['query']>;
type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Delivery) => id;
const toneOf = ({ status }: Delivery) => (status === 'failed' ? 'error' : undefined);
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

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
  const endpointName = useEndpointName(values.endpoint_id);
  const deliveryFilters = useDeliveryFilters(values.endpoint_id, endpointName);
  const ownerFilter = useOwnerFilter(values.owner);
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
      title={says.title}
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
        filters={[...deliveryFilters, ...ownerFilter]}
        values={shownFilters(values)}
        change={(changed) => change('q' in changed ? { ...changed, ...searchOrEventId(changed.q) } : changed)}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label={says.list}
        total={<Total list="deliveries" values={filter} live={live} />}
        queryKey={['deliveries', savedFilters('deliveries', values)]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        toneOf={toneOf}
        empty={
          Object.keys(filter).length > 0 ? (
            <NoMatch list="deliveries" values={filter} title={says.none.matching} next={says.none.matchingHow} />
          ) : (
            noDeliveries
          )
        }
      />
      <RetryDrawer
        filter={filter}
        endpointName={endpointName}
        opened={retry === '1' || recovery !== undefined}
        recovery={recovery}
        show={(started) => change({ retry: undefined, recovery: started })}
        close={() => change({ retry: undefined, recovery: undefined })}
      />
    </Frame>
  );
}

const noDeliveries = (
  <Empty title={says.none.yet} action={<TriggerCommand />}>
    {says.none.yetHow}
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
      {says.retryThese}
    </ChangeButton>
  );
}

function useDeliveryFilters(endpointId: string | undefined, chosen: string): Filter[] {
  const endpoints = useEndpointChoices();
  const types = useEventTypes();
  return useMemo<Filter[]>(
    () => [
      { name: 'q', label: says.filters.q, kind: 'search', placeholder: says.filters.qExample },
      { name: 'status', label: says.filters.status, kind: 'choice', choices: choicesOf(says.states) },
      {
        name: 'endpoint_id',
        label: says.filters.endpoint,
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
      { name: 'since', label: says.filters.time, kind: 'time' },
      {
        name: 'reason',
        label: says.filters.error,
        kind: 'choice',
        choices: reasons.map(({ reason, title }) => ({ value: reason, label: title })),
        width: 150,
      },
      {
        name: 'event_type',
        label: says.filters.eventType,
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 150,
      },
      { name: 'partner', label: says.filters.partner, kind: 'text', width: 150, placeholder: says.filters.partnerExample },
      { name: 'waits_for', label: says.filters.waitsFor, kind: 'choice', choices: choicesOf(says.waits), width: 110 },
      { name: 'response_status', label: says.filters.httpStatus, kind: 'text', width: 90, placeholder: '503' },
    ],
    [endpoints, endpointId, chosen, types],
  );
}

/** The event, and the store or structure that it is about. */
function EventCell({ of: { event_type, test, subject, subject_name } }: { of: Delivery }) {
  if (test) return <TwoLines main={event_type} more={<TestBadge />} />;
  const about = subject_name === null ? subject : `${subject_name} (${subject})`;
  return <TwoLines main={event_type} more={subject_name ?? subject} title={about ?? undefined} />;
}

function useColumns(): ListColumn<Delivery>[] {
  return useMemo(
    () => [
      { header: says.columns.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
      { header: says.columns.status, kind: 'status', cell: ({ status }) => <Status of={status} /> },
      { header: says.columns.event, kind: 'long', cell: (delivery) => <EventCell of={delivery} /> },
      { header: says.columns.endpoint, kind: 'long', cell: (delivery) => <OwnedEndpoint of={delivery} /> },
      { header: says.columns.attempts, kind: 'number', cell: ({ attempts }) => attempts },
      { header: says.columns.result, cell: (delivery) => <Result of={delivery} /> },
    ],
    [],
  );
}
