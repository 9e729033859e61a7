import { Badge, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { only, useFilters, withInstant } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { Time } from '../../parts/time.tsx';
import { Catalogue } from './catalogue.tsx';

type Query = NonNullable<paths['/events']['get']['parameters']['query']>;
type Event = paths['/events']['get']['responses'][200]['content']['application/json']['data'][number];

const idOf = ({ id }: Event) => id;
const hrefOf = ({ id }: Event) => `/events/${id}`;
const asked = ['q', 'type', 'service', 'subject', 'unmatched', 'from', 'to'];

/** What happened, and to how many endpoints it went; or what can happen at all. */
export default function Events() {
  const [values, change] = useFilters();
  const catalogue = values.view === 'catalogue';
  return (
    <Frame
      title={catalogue ? 'Catalogue of events' : 'Events'}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          value={catalogue ? 'catalogue' : 'events'}
          onChange={(view) => change({ view: view === 'catalogue' ? view : undefined })}
          data={[
            { value: 'events', label: 'What happened' },
            { value: 'catalogue', label: 'Catalogue' },
          ]}
        />
      }
    >
      {catalogue ? <Catalogue /> : <Happened />}
    </Frame>
  );
}

function Happened() {
  const [values, change] = useFilters();
  const [live, setLive] = useState(false);
  const [, navigate] = useLocation();
  const filters = useEventFilters();
  const load = useCallback(
    async (cursor: string | undefined) => {
      const query = { ...only(withInstant(values, Date.now()), asked), cursor, limit: 50 } as Query;
      return answer(api.GET('/events', { params: { query } }));
    },
    [values],
  );
  return (
    <>
      <FilterBar
        filters={filters}
        values={values}
        // An event's id leads to it.
        change={(changed) => (/^evt_\w+$/.test(changed.q ?? '') ? navigate(`/events/${changed.q}`) : change(changed))}
        live={{ on: live, toggle: () => setLive((before) => !before) }}
      />
      <List
        label="Events, newest first"
        noun={['event', 'events']}
        queryKey={['events', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={
          Object.keys(values).length > 0 ? (
            <Empty title="No event fits these filters">Take one away, or look over a longer time.</Empty>
          ) : (
            <Empty title="Nothing happened yet">
              An event is made when something happens in the point of sale or in Cohesion, whether an endpoint wants it or not.
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
      { name: 'q', label: 'Text in the payload, or event id', kind: 'search', placeholder: 'a reference, evt_… (/)' },
      {
        name: 'type',
        label: 'Type',
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 170,
      },
      { name: 'service', label: 'Service', kind: 'choice', choices: services.map((value) => ({ value, label: value })) },
      { name: 'subject', label: 'Subject', kind: 'text', width: 150, placeholder: 'a store or structure' },
      { name: 'unmatched', label: 'Fan-out', kind: 'choice', choices: [{ value: 'true', label: 'no endpoint wanted it' }] },
      { name: 'since', label: 'Time', kind: 'time' },
    ];
  }, [types]);
}

const columns: readonly ListColumn<Event>[] = [
  { header: 'Happened', width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Service', wide: true, width: 110, cell: ({ service }) => service },
  { header: 'Subject', wide: true, cell: ({ subject }) => subject ?? '–' },
  { header: 'Fan-out', width: 150, cell: (event) => <FanOut of={event} /> },
];

/** To how many endpoints an event went; that none wanted it; or that its deliveries are still owed. */
function FanOut({ of: { matched, fanned_out_at } }: { of: Event }) {
  if (fanned_out_at === null)
    return (
      <Badge color="blue" variant="light" tt="none">
        still owed
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
