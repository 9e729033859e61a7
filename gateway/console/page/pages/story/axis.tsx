import './story.css';
import { Anchor, Group, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'wouter';
import { causes } from '../../lib/causes.ts';
import { linkTo } from '../../lib/filters.ts';
import { shortUrl } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';
import type { Entry } from './entries.ts';

/** The entries on one axis of time, with the time since the first one. `found` are the ids that were searched for. */
export function Axis({ entries, found }: { entries: readonly Entry[]; found: string }) {
  const startMs = Date.parse(entries[0]?.at ?? '');
  return (
    <ol className="story" aria-label="What happened, in the order of time">
      {entries.map((entry) => (
        <li
          key={entry.id}
          data-kind={entry.kind}
          data-found={entry.id === found ? '' : undefined}
          data-ok={entry.kind === 'attempt' && entry.attempt.outcome === 'success' ? '' : undefined}
        >
          <Text size="sm">
            <Time at={entry.at} />
          </Text>
          <Text size="sm" c="dimmed" title="After the first entry">
            +{duration(Date.parse(entry.at) - startMs)}
          </Text>
          <div className="what" style={{ '--story-depth': entry.depth } as CSSProperties}>
            <What entry={entry} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function What({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'call':
      return <CallLine call={entry.call} />;
    case 'gone':
      return (
        <Text size="sm">
          Call <span className="mono break-anywhere">{entry.callId}</span> is no longer kept. Its changes are.
        </Text>
      );
    case 'event':
      return <EventLine event={entry.event} />;
    case 'delivery':
      return <DeliveryLine delivery={entry.delivery} url={entry.url} />;
    case 'attempt':
      return <AttemptLine {...entry} />;
  }
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

function Line({ kind, href, children }: { kind: string; href: string; children: ReactNode }) {
  return (
    <Group gap="xs">
      <Anchor component={Link} href={href} size="sm" fw={600}>
        {kind}
      </Anchor>
      {children}
    </Group>
  );
}

/** Which event goes where. A long URL is cut; the tooltip has all of it. */
function Target({ type, url }: { type: string | undefined; url: string }) {
  return (
    <Text size="sm" style={{ wordBreak: 'break-all' }} lineClamp={1} flex="0 1 auto" maw={420} title={url}>
      {type} → {shortUrl(url)}
    </Text>
  );
}

function CallLine({ call }: Pick<Of<'call'>, 'call'>) {
  return (
    <Line kind="Call" href={`/calls/${encodeURIComponent(call.id)}`}>
      <Text size="sm" className="mono break-anywhere" lineClamp={2} title={call.path}>
        {call.method} {call.path}
      </Text>
      <HttpStatus status={call.status} />
      <Text size="sm" c="dimmed" className="break-anywhere">
        {duration(call.duration_ms)}
        {call.caller !== null && `, by ${call.caller}`}
      </Text>
    </Line>
  );
}

function EventLine({ event }: Pick<Of<'event'>, 'event'>) {
  return (
    <Line kind="Event" href={`/events/${encodeURIComponent(event.id)}`}>
      <Text size="sm">{event.type}</Text>
      {event.matched === 0 && (
        <Text size="sm" c="dimmed">
          no endpoint wants it
        </Text>
      )}
      {event.caused_by !== null && causes[event.caused_by] && (
        <Text size="sm" c="dimmed">
          caused by {causes[event.caused_by]}
        </Text>
      )}
    </Line>
  );
}

function DeliveryLine({ delivery, url }: Pick<Of<'delivery'>, 'delivery' | 'url'>) {
  return (
    <Line kind="Delivery" href={`/deliveries/${encodeURIComponent(delivery.id)}`}>
      <Target type={delivery.event_type} url={url} />
      <Status of={delivery.status} />
      {delivery.next_attempt_at !== null && (
        <Text size="sm" c="dimmed">
          next attempt <RelativeTime at={delivery.next_attempt_at} />
        </Text>
      )}
    </Line>
  );
}

function AttemptLine({ attempt, delivery, url }: Pick<Of<'attempt'>, 'attempt' | 'delivery' | 'url'>) {
  const { delivery_id, number, response_status, outcome, error, manual, started_at, ended_at } = attempt;
  return (
    <Line kind={`Attempt ${number}`} href={linkTo(`/deliveries/${encodeURIComponent(delivery_id)}`, { attempt: String(number) })}>
      {response_status === null ? <Status of={outcome} /> : <HttpStatus status={response_status} />}
      <Text size="sm" c="dimmed">
        {duration(Date.parse(ended_at) - Date.parse(started_at))}
        {manual && ', asked for by an operator'}
      </Text>
      <Target type={delivery?.event_type} url={url} />
      {error !== null && (
        <Text size="sm" className="break-anywhere" lineClamp={2} title={error}>
          {error}
        </Text>
      )}
    </Line>
  );
}
