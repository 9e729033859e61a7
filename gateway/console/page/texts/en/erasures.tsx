import type { ReactNode } from 'react';
import { count } from '../../lib/format.ts';

export const erasures = {
  title: 'Erasures',
  list: 'Erasures of persons',
  description:
    'A person may ask to be erased. Count first what would be erased, then erase it: nothing brings it back. The content of events, calls, attempts and stored replies goes; ids, times, counts and the ledger stay.',
  empty: 'Nobody asked to be erased yet.',
  create: 'Count a person',
  counting: 'It is being counted. Nothing is erased.',
  begun: 'The erasure has begun.',
  columns: { target: 'What', kind: 'Kind', state: 'State', begun: 'Begun', id: 'Id' },
  kind: (isDryRun: boolean): string => (isDryRun ? 'count' : 'erasure'),
  target: {
    number: (end: string) => `Number that ends with ${end}`,
    subject: (id: string) => `All events about ${id}`,
    events: (events: number) => `${count(events)} ${events === 1 ? 'event' : 'events'}`,
  },
  fields: {
    number: 'Telephone number',
    numberHelp: 'With its country code. It is found in every usual spelling, and is not kept.',
    numberAgain:
      'Again, because it was not kept. Nothing brings back what is erased. Receivers and backups that have it keep it.',
    events: 'or ids of events',
    eventsHelp: 'Separated by commas.',
    subject: 'or a store or structure',
    subjectHelp: 'Erases the content of all its events.',
  },
  erase: 'Erase now',
  consequences: [
    'The content is taken out of everything that is kept. Nothing brings it back.',
    'Pending deliveries of the events end as skipped, and nothing of them is ever sent again.',
    'Receivers that got it keep it: ask them to erase it too. Backups keep it until they are removed.',
  ],
  worksOn: (table: string) => `It works on ${table}.`,
  settles: (at: ReactNode) => <>It waits until what was in flight has ended, at {at}.</>,
  found: {
    counted: 'Would lose content',
    erased: 'Lost content',
    nothing: {
      number: 'Nothing that is kept has this number.',
      subject: 'No event has this store or structure as its subject, or all of them were erased before.',
      events: 'The content of these events was erased before.',
    },
    nothingYet: 'Nothing was found so far.',
  },
  tables: {
    events: 'Events',
    deliveries: 'Pending deliveries that end',
    attempts: 'Attempts',
    calls: 'Calls',
    idempotency_keys: 'Replies kept for repeated requests',
    sales: 'Sales',
    payments: 'Payments',
    audit: 'Entries of the audit trail',
  } as Readonly<Record<string, string>>,
  receivers: {
    title: (endpoints: number) => `Endpoints that have it: ${count(endpoints)}`,
    none: 'None got it.',
    advice: 'Ask their owners to erase it too. Partners that read the events by themselves may have it as well.',
    got: (owner: string | null, delivered: number, attempted: number) =>
      `${owner === null ? '' : `(${owner}): `}${count(delivered)} delivered${attempted > 0 ? `, ${count(attempted)} attempted` : ''}`,
  },
};
