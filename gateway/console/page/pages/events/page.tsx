import { Badge, SegmentedControl } from '@mantine/core';
import { useLocation } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { type EventType, useEventTypes } from '../../lib/event-types.ts';
import { choices, labelled, useFilters } from '../../lib/filters.ts';
import { TriggerCommand } from '../../parts/code.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { Frame } from '../../parts/frame.tsx';
import type { ListColumn } from '../../parts/list.tsx';
import { Named } from '../../parts/named.tsx';
import { OperatorList } from '../../parts/operator-list.tsx';
import { partnerFilter } from '../../parts/owner-filter.ts';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { Catalogue } from './catalogue.tsx';

type Query = NonNullable<paths['/events']['get']['parameters']['query']>;
type Event = paths['/events']['get']['responses'][200]['content']['application/json']['data'][number];

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
            data={labelled(text.events.views)}
          />
          {!catalogue && <ExportMenu list="events" values={values} />}
        </>
      }
    >
      {catalogue ? <Catalogue /> : <EventList />}
    </Frame>
  );
}

function EventList() {
  const [values, change] = useFilters();
  const [, navigate] = useLocation();
  return (
    <OperatorList
      list="events"
      label={text.events.list}
      values={values}
      others={['view']}
      filters={eventFilters(useEventTypes())}
      // Opens the event if its id is entered.
      change={(changed) => (/^evt_\w+$/.test(changed.q ?? '') ? navigate(`/events/${changed.q}`) : change(changed))}
      read={read}
      columns={columns}
      noMatch={text.events.noMatch}
      none={
        <Empty title={text.events.none.title} action={<TriggerCommand />}>
          {text.events.none.next}
        </Empty>
      }
    />
  );
}

const read = (query: Query) => answer(api.GET('/events', { params: { query } }));

function eventFilters(types: readonly EventType[]): Filter[] {
  const labels = text.events.filters;
  const services = [...new Set(types.map(({ service }) => service))];
  return [
    { name: 'q', kind: 'search', ...labels.text },
    { name: 'type', label: labels.type, kind: 'choice', choices: choices(types.map(({ type }) => type)), width: 170 },
    partnerFilter,
    { name: 'since', label: labels.time, kind: 'time' },
    { name: 'service', label: labels.service, kind: 'choice', choices: choices(services) },
    { name: 'subject', kind: 'text', width: 150, ...labels.subject },
    { name: 'unmatched', label: labels.fanOut, kind: 'choice', choices: [{ value: 'true', label: labels.unmatched }] },
  ];
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
