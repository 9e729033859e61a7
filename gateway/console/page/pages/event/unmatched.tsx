import { Alert, Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural } from '../../lib/format.ts';
import type { EventDetail } from './fan-out.ts';

type Endpoint = paths['/endpoints']['get']['responses'][200]['content']['application/json']['data'][number];
type Subscription = Pick<Endpoint, 'events' | 'perimeter'>;

const matchesType = ({ events }: Subscription, type: string) => events === null || events.includes(type);
const matchesSubject = ({ perimeter }: Subscription, subject: string | null) =>
  perimeter === null || (subject !== null && perimeter.includes(subject));

/** Why no endpoint matched an event. Looks at the endpoints as they are now, not as they were. */
export function Unmatched({ event: { service, type, subject } }: { event: EventDetail }) {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'subscriptions', service],
    queryFn: () => answer(api.GET('/endpoints', { params: { query: { service, limit: 100 } } })),
  });
  return (
    <Alert color="gray" variant="light" title="No endpoint matched this event, so nothing was sent">
      <Text size="sm">Events are matched when they happen. Endpoints created or changed later do not receive them.</Text>
      {endpoints.data && (
        <List size="sm" my="xs">
          {mismatches(endpoints.data.data, type, subject, service).map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
          {endpoints.data.next !== null && (
            <List.Item>Only the newest {count(endpoints.data.data.length)} endpoints were checked.</List.Item>
          )}
        </List>
      )}
      <Group gap="md">
        <Anchor component={Link} size="sm" href={linkTo('/endpoints', { service })}>
          Endpoints of the service {service}
        </Anchor>
        <Anchor component={Link} size="sm" href={linkTo('/events', { unmatched: 'true', type })}>
          Other {type} events without an endpoint
        </Anchor>
      </Group>
    </Alert>
  );
}

function mismatches(endpoints: readonly Subscription[], type: string, subject: string | null, service: string): string[] {
  if (endpoints.length === 0) return [`There is no endpoint of the service ${service}.`];
  const ofType = endpoints.filter((endpoint) => matchesType(endpoint, type));
  const matching = ofType.filter((endpoint) => matchesSubject(endpoint, subject));
  const elsewhere = ofType.length - matching.length;
  const about = subject === null ? 'and this event has no subject' : `not ${subject}`;
  const others = endpoints.length - ofType.length;
  return [
    ...(others > 0
      ? [`${plural(others, 'endpoint')} of ${service} ${others === 1 ? 'does' : 'do'} not subscribe to ${type}.`]
      : []),
    ...(elsewhere > 0
      ? [
          `${plural(elsewhere, 'endpoint')} ${elsewhere === 1 ? 'subscribes' : 'subscribe'} to it for certain stores or structures only, ${about}.`,
        ]
      : []),
    ...(matching.length > 0 ? [`${plural(matching.length, 'endpoint')} would match such an event now.`] : []),
  ];
}
