import { Badge, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { queryOf } from '../../lib/listed.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { Subject } from '../../parts/subject.tsx';
import { Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { Catalogue } from './catalogue.tsx';

type Query = NonNullable<paths['/events']['get']['parameters']['query']>;
type Event = paths['/events']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Event) => id;
const hrefOf = ({ id }: Event) => `/events/${id}`;

/** The events, or the catalogue of event types. */
export default function Events() {
  const [values, change] = useFilters();
  const catalogue = values.view === 'catalogue';
  return (
    <Frame
      title={catalogue ? 'Event catalogue' : 'Events'}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={catalogue ? 'catalogue' : 'events'}
            onChange={(view) => change({ view: view === 'catalogue' ? view : undefined })}
            data={[
              { value: 'events', label: 'Events' },
              { value: 'catalogue', label: 'Catalogue' },
            ]}
          />
          {!catalogue && (
            <>
              <SavedViews list="events" values={values} />
              <ExportMenu list="events" values={values} />
            </>
          )}
        </>
      }
    >
      {catalogue ? <Catalogue /> : <EventList />}
    </Frame>
  );
}

function EventList() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(false);
  const [, navigate] = useLocation();
  const filters = useEventFilters();
  const load = useCallback(
    async (cursor: string | undefined) => {
      const query = { ...queryOf('events', values, Date.now()), cursor, limit: 50 } as Query;
      return answer(api.GET('/events', { params: { query } }));
    },
    [values],
  );
  return (
    <>
      <UnknownFilters list="events" values={values} others={['view']} change={change} />
      <FilterBar
        filters={filters}
        values={values}
        // Opens the event if its id is entered.
        change={(changed) => (/^evt_\w+$/.test(changed.q ?? '') ? navigate(`/events/${changed.q}`) : change(changed))}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label="Events, newest first"
        total={<Total list="events" values={values} live={live} />}
        queryKey={['events', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={
          Object.keys(values).length > 0 ? (
            <Empty title="No matching events">Remove a filter, or choose a longer time.</Empty>
          ) : (
            <Empty title="No events yet">
              An event is created when something happens in the point of sale or in Cohesion, even if no endpoint subscribes to
              it.
            </Empty>
          )
        }
      />
    </>
  );
}

function useEventFilters(): Filter[] {
  const types = useEventTypes();
  return useMemo<Filter[]>(() => {
    const services = [...new Set(types.map(({ service }) => service))];
    return [
      { name: 'q', label: 'Text in payload, or event id', kind: 'search', placeholder: 'a reference, evt_… (/)' },
      {
        name: 'type',
        label: 'Type',
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 170,
      },
      { name: 'partner', label: 'Partner', kind: 'text', width: 150, placeholder: 'part of a name' },
      { name: 'since', label: 'Time', kind: 'time' },
      { name: 'service', label: 'Service', kind: 'choice', choices: choices(services) },
      { name: 'subject', label: 'Subject', kind: 'text', width: 150, placeholder: 'store or structure id' },
      { name: 'unmatched', label: 'Fan-out', kind: 'choice', choices: [{ value: 'true', label: 'no endpoint matched' }] },
    ];
  }, [types]);
}

const columns: readonly ListColumn<Event>[] = [
  { header: 'Time', width: 196, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Service', width: 110, cell: ({ service }) => service },
  { header: 'Store or structure', cell: (about) => about.subject !== null && <Subject of={about} /> },
  { header: 'Fan-out', width: 150, cell: (event) => <FanOut of={event} /> },
];

/** The number of endpoints that matched, or that the fan-out is still to come. */
function FanOut({ of: { matched, fanned_out_at } }: { of: Event }) {
  if (fanned_out_at === null)
    return (
      <Badge color="blue" variant="light" tt="none">
        pending
      </Badge>
    );
  if (!matched)
    return (
      <Badge color="gray" variant="light" tt="none">
        no endpoint
      </Badge>
    );
  return plural(matched, 'endpoint');
}
