import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useFilters } from '../../page/lib/filters.ts';
import { reasons } from '../../page/lib/reasons.ts';
import { DeliveriesPage, deliveryFilters, type ListedDelivery } from '../../page/parts/delivery/list-page.tsx';
import { TestBadge } from '../../page/parts/delivery/test-badge.tsx';
import { Empty } from '../../page/parts/empty.tsx';
import { pickShown } from '../../page/parts/filter-bar.tsx';
import { FilteredList } from '../../page/parts/filtered-list.tsx';
import type { ListColumn } from '../../page/parts/list.tsx';
import { useEventTypes } from '../lib/event-types.ts';
import { owed } from '../lib/owed.ts';
import { choicesOf, nameOf, useOwnEndpoints } from '../lib/own-endpoints.ts';
import { useSession } from '../lib/session.ts';
import { EndpointName } from '../parts/endpoint-name.tsx';
import { text } from '../texts/index.ts';

const texts = text.deliveries;

// The others say who asked for an attempt.
const ownReasons = reasons.filter(({ kind }) => kind !== 'operator');

/** The deliveries to the partner's endpoints. New ones appear on top. */
export default function Deliveries() {
  const [address] = useFilters();
  const { kind } = useSession();
  const endpoints = useOwnEndpoints();
  const filters = deliveryFilters({ endpoints: choicesOf(endpoints), types: useEventTypes(), reasons: ownReasons });
  const values = pickShown(filters, address);
  const about: ListColumn<ListedDelivery>[] = [
    { header: texts.columns.event, kind: 'name', cell: ({ event_type }) => event_type },
    {
      header: texts.subject[kind],
      kind: 'short',
      cell: ({ test, subject, subject_name }) => (test ? <TestBadge /> : (subject_name ?? subject)),
    },
    { header: texts.columns.endpoint, cell: ({ endpoint_id }) => <EndpointName id={endpoint_id} endpoints={endpoints} /> },
  ];
  return (
    <DeliveriesPage
      List={FilteredList}
      values={values}
      filters={filters}
      about={about}
      retry={values.status === 'delivered' || values.blocking !== undefined ? 'disabled' : 'enabled'}
      endpointName={values.endpoint_id && nameOf(endpoints, values.endpoint_id)}
      owed={owed}
      none={
        <Empty
          title={texts.none.title}
          action={
            <Button component={Link} href="/endpoints" size="xs" variant="default">
              {texts.none.endpoints}
            </Button>
          }
        >
          {texts.none.next}
        </Empty>
      }
    />
  );
}
