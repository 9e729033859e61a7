import { useEndpointChoices, useEndpointName } from '../../lib/endpoint-names.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { type FilterValues, labelled, useFilters } from '../../lib/filters.ts';
import { reasons } from '../../lib/reasons.ts';
import { TriggerCommand } from '../../parts/code.tsx';
import { DeliveriesPage, deliveryFilters, type ListedDelivery } from '../../parts/delivery/list-page.tsx';
import { TestBadge } from '../../parts/delivery/test-badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { OwnedEndpoint } from '../../parts/endpoint/name.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import type { ListColumn } from '../../parts/list.tsx';
import { OperatorList } from '../../parts/operator-list.tsx';
import { partnerFilter, useOwnerFilter } from '../../parts/owner-filter.ts';
import { TwoLines } from '../../parts/two-lines.tsx';
import { text } from '../../texts/index.ts';

const says = text.deliveries;

/** The search field also takes an event's id. In the address it is `event_id`, which is faster than a search. */
const shownFilters = ({ q, event_id, ...values }: FilterValues): FilterValues =>
  (q ?? event_id) === undefined ? values : { ...values, q: q ?? event_id ?? '' };
const isEventId = (text: string | undefined) => text !== undefined && /^evt_\w+$/.test(text);

const searchOrEventId = (text: string | undefined) =>
  isEventId(text) ? { q: undefined, event_id: text } : { q: text, event_id: undefined };

const otherFilters: readonly Filter[] = [
  partnerFilter,
  { name: 'waits_for', label: says.filters.waits_for, kind: 'choice', choices: labelled(says.waits), width: 110 },
  { name: 'response_status', label: says.filters.response_status, kind: 'text', width: 90, placeholder: '503' },
];

const about: readonly ListColumn<ListedDelivery>[] = [
  { header: says.columns.event, kind: 'long', cell: (delivery) => <EventCell of={delivery} /> },
  { header: says.columns.endpoint, kind: 'long', cell: (delivery) => <OwnedEndpoint of={delivery} /> },
];

export default function Deliveries() {
  const [{ retry: _, recovery: __, ...values }, change] = useFilters();
  const { endpoint_id: endpointId, status, partner, blocking } = values;
  const newest = useEndpointChoices();
  const endpointName = useEndpointName(endpointId);
  const endpoints = newest.map(({ id, url }) => ({ value: id, label: url }));
  // The link from an older endpoint's page may name one that is not among them.
  if (endpointId !== undefined && endpointName !== endpointId && !newest.some(({ id }) => id === endpointId))
    endpoints.push({ value: endpointId, label: endpointName });
  const types = useEventTypes();
  const ownerFilter = useOwnerFilter(values.owner);
  return (
    <DeliveriesPage
      List={OperatorList}
      values={values}
      filters={[...deliveryFilters({ endpoints, types, reasons }), ...otherFilters, ...ownerFilter]}
      shown={shownFilters(values)}
      change={(changed) => change('q' in changed ? { ...changed, ...searchOrEventId(changed.q) } : changed)}
      about={about}
      // Delivered ones are not sent again by a list. A recovery has no filter by these two: it would send more than is listed.
      retry={status === 'delivered' || partner !== undefined || blocking !== undefined ? 'left out' : 'enabled'}
      endpointName={endpointName}
      none={
        <Empty title={says.none.title} action={<TriggerCommand />}>
          {says.none.next}
        </Empty>
      }
    />
  );
}

function EventCell({ of: { event_type, test, subject, subject_name } }: { of: ListedDelivery }) {
  if (test) return <TwoLines main={event_type} more={<TestBadge />} />;
  const about = subject_name === null ? subject : `${subject_name} (${subject})`;
  return <TwoLines main={event_type} more={subject_name ?? subject} title={about ?? undefined} />;
}
