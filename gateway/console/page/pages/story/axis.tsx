import { PageLink } from '../../parts/page-link.tsx';
import './story.css';
import { Group, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { linkTo } from '../../lib/filters.ts';
import { shortUrl } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { AttemptError } from '../../parts/delivery/attempt-error.tsx';
import { OwnerName } from '../../parts/endpoint/name.tsx';
import { Hint } from '../../parts/hint.tsx';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import type { Entry } from './entries.ts';

const says = text.story.axis;

/** The entries on one axis of time, with the time since the first one. `found` are the ids that were searched for. */
export function Axis({ entries, found }: { entries: readonly Entry[]; found: string }) {
  const startMs = Date.parse(entries[0]?.at ?? '');
  return (
    <ol className="story" aria-label={says.label}>
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
          <Text size="sm" c="dimmed" title={says.afterFirst}>
            {`+${duration(Date.parse(entry.at) - startMs)}`}
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
      return <Text size="sm">{says.callNotKept(<span className="mono break-anywhere">{entry.callId}</span>)}</Text>;
    case 'event':
      return <EventLine event={entry.event} />;
    case 'delivery':
      return <DeliveryLine {...entry} />;
    case 'attempt':
      return <AttemptLine {...entry} />;
  }
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

const Line = ({ kind, href, children }: { kind: string; href: string; children: ReactNode }) => (
  <Group gap="xs">
    <PageLink href={href} fw={600}>
      {kind}
    </PageLink>
    {children}
  </Group>
);

/** Which event goes where. A long URL is cut; the tooltip has all of it. */
const Target = ({ type, url }: { type: string | undefined; url: string }) => (
  <Text size="sm" style={{ wordBreak: 'break-all' }} lineClamp={1} flex="0 1 auto" maw={420} title={url}>
    {`${type ?? ''} → ${shortUrl(url)}`}
  </Text>
);

const CallLine = ({ call }: Pick<Of<'call'>, 'call'>) => (
  <Line kind={says.call} href={`/calls/${encodeURIComponent(call.id)}`}>
    <Text size="sm" className="mono break-anywhere" lineClamp={2} title={call.path}>
      {call.method} {call.path}
    </Text>
    <HttpStatus status={call.status} />
    <Text size="sm" c="dimmed" className="break-anywhere">
      {call.caller === null ? duration(call.duration_ms) : says.tookBy(duration(call.duration_ms), call.caller)}
    </Text>
  </Line>
);

const EventLine = ({ event }: Pick<Of<'event'>, 'event'>) => (
  <Line kind={says.event} href={`/events/${encodeURIComponent(event.id)}`}>
    <Text size="sm">{event.type}</Text>
    {event.matched === 0 && <Hint>{says.unwanted}</Hint>}
    {event.caused_by !== null && text.parts.causes[event.caused_by] && (
      <Hint>{says.causedBy(text.parts.causes[event.caused_by] ?? event.caused_by)}</Hint>
    )}
  </Line>
);

const DeliveryLine = ({ delivery, url, owner }: Pick<Of<'delivery'>, 'delivery' | 'url' | 'owner'>) => (
  <Line kind={says.delivery} href={`/deliveries/${encodeURIComponent(delivery.id)}`}>
    <Target type={delivery.event_type} url={url} />
    {owner && <OwnerName of={owner} />}
    <Status of={delivery.status} />
    {delivery.cause && (
      <Hint>
        <Why of={delivery.cause} />
      </Hint>
    )}
  </Line>
);

function AttemptLine({ attempt, delivery, url }: Pick<Of<'attempt'>, 'attempt' | 'delivery' | 'url'>) {
  const { delivery_id, number, response_status, outcome, error, manual, started_at, ended_at } = attempt;
  const took = duration(Date.parse(ended_at) - Date.parse(started_at));
  return (
    <Line
      kind={says.attempt(number)}
      href={linkTo(`/deliveries/${encodeURIComponent(delivery_id)}`, { attempt: String(number) })}
    >
      {response_status === null ? <Status of={outcome} /> : <HttpStatus status={response_status} />}
      <Hint>{manual ? says.tookManual(took) : took}</Hint>
      <Target type={delivery?.event_type} url={url} />
      {error !== null && (
        <Text size="sm" className="break-anywhere" lineClamp={2} title={error}>
          <AttemptError of={attempt} />
        </Text>
      )}
    </Line>
  );
}
