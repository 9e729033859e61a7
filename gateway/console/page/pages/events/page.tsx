import { Badge, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { choices, useFilters } from '../../lib/filters.ts';
import { queryOf } from '../../lib/listed.ts';
import { TriggerCommand } from '../../parts/code.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { Named } from '../../parts/named.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { Time } from '../../parts/time.tsx';
import { Total } from '../../parts/total.tsx';
import { UnknownFilters } from '../../parts/unknown-filters.tsx';
import { text } from '../../texts/index.ts';
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
      title={catalogue ? text.events.catalogue.title : text.events.title}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={text.events.view}
            value={catalogue ? 'catalogue' : 'events'}
            onChange={(view) => change({ view: view === 'catalogue' ? view : undefined })}
            data={Object.entries(text.events.views).map(([value, label]) => ({ value, label }))}
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
        label={text.events.list}
        total={<Total list="events" values={values} live={live} />}
        queryKey={['events', values]}
        load={load}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        empty={
          Object.keys(values).length > 0 ? (
            <NoMatch list="events" values={values} {...text.events.noMatch} />
          ) : (
            <Empty title={text.events.none.title} action={<TriggerCommand />}>
              {text.events.none.next}
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
    const labels = text.events.filters;
    const services = [...new Set(types.map(({ service }) => service))];
    return [
      { name: 'q', kind: 'search', ...labels.text },
      {
        name: 'type',
        label: labels.type,
        kind: 'choice',
        choices: types.map(({ type }) => ({ value: type, label: type })),
        width: 170,
      },
      { name: 'partner', kind: 'text', width: 150, ...labels.partner },
      { name: 'since', label: labels.time, kind: 'time' },
      { name: 'service', label: labels.service, kind: 'choice', choices: choices(services) },
      { name: 'subject', kind: 'text', width: 150, ...labels.subject },
      { name: 'unmatched', label: labels.fanOut, kind: 'choice', choices: [{ value: 'true', label: labels.unmatched }] },
    ];
  }, [types]);
}

const columns: readonly ListColumn<Event>[] = [
  { header: text.events.columns.time, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  { header: text.events.columns.type, cell: ({ type }) => type },
  { header: text.events.columns.service, kind: 'short', cell: ({ service }) => service },
  {
    header: text.events.columns.subject,
    cell: ({ subject: id, subject_name: name }) => id !== null && <Named name={name} id={id} />,
  },
  { header: text.events.columns.fanOut, kind: 'name', cell: (event) => <FanOut of={event} /> },
];

/** The number of endpoints that matched, or that the fan-out is still to come. */
function FanOut({ of: { matched, fanned_out_at } }: { of: Event }) {
  if (fanned_out_at === null) return <Badge>{text.events.fanOut.pending}</Badge>;
  if (!matched) return <Badge color="gray">{text.events.fanOut.none}</Badge>;
  return text.events.fanOut.endpoints(matched);
}
