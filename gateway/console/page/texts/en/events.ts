import { plural } from '../../lib/format.ts';

export const events = {
  title: 'Events',
  list: 'Events, newest first',
  view: 'View',
  views: { events: 'Events', catalogue: 'Catalogue' },
  noMatch: { title: 'No matching events', next: 'Remove a filter, or choose a longer time.' },
  none: {
    title: 'No events yet',
    next: 'An event is created when something happens in the point of sale or in Cohesion, even if no endpoint subscribes to it. Run this command for a first one:',
  },
  filters: {
    text: { label: 'Text in payload, or event id', placeholder: 'a reference, evt_… (/)' },
    type: 'Type',
    time: 'Time',
    service: 'Service',
    subject: { label: 'Subject', placeholder: 'store or structure id' },
    fanOut: 'Fan-out',
    unmatched: 'no endpoint matched',
  },
  columns: { time: 'Time', type: 'Type', service: 'Service', subject: 'Store or structure', fanOut: 'Fan-out' },
  fanOut: { pending: 'pending', none: 'no endpoint', endpoints: (matched: number) => plural(matched, 'endpoint') },
  catalogue: {
    title: 'Event catalogue',
    services: { pos: 'Point of Sale', cohesion: 'Social Cohesion', operator: 'Operator events' },
    events: 'Events of this type',
    deliveries: 'Deliveries of this type',
    example: 'Example data',
    gaps: 'Depends on the choices for:',
    fields: 'Fields of the data',
    columns: { field: 'Field', type: 'Type', meaning: 'Meaning' },
    optional: 'optional',
  },
  /** The types of a JSON Schema. A type or a format that is not here is shown as it is. */
  types: {
    any: 'any',
    array: 'list',
    string: 'string',
    number: 'number',
    integer: 'integer',
    boolean: 'boolean',
    object: 'object',
    'date-time': 'time',
  } as Readonly<Record<string, string>>,
  listOf: (type: string) => `list of ${type}`,
  or: ' or ',
};
