import { Alert, Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural } from '../../lib/format.ts';
import type { EventDetail } from './fan-out.ts';

type Endpoint = paths['/endpoints']['get']['responses'][200]['content']['application/json']['data'][number];
type Wishes = Pick<Endpoint, 'events' | 'perimeter'>;

const wantsType = ({ events }: Wishes, type: string) => events === null || events.includes(type);
const wantsSubject = ({ perimeter }: Wishes, subject: string | null) =>
  perimeter === null || (subject !== null && perimeter.includes(subject));

/** Why no endpoint wanted an event, as the endpoints are now: they may have changed since. */
export function Unmatched({ event: { service, type, subject } }: { event: EventDetail }) {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'wishes', service],
    queryFn: () => answer(api.GET('/endpoints', { params: { query: { service, limit: 100 } } })),
  });
  return (
    <Alert color="gray" variant="light" title="No endpoint wanted this event, so nothing was sent">
      <Text size="sm">It was matched when it happened. An endpoint that is made or changed later does not get it.</Text>
      {endpoints.data && (
        <List size="sm" my="xs">
          {whys(endpoints.data.data, type, subject, service).map((why) => (
            <List.Item key={why}>{why}</List.Item>
          ))}
          {endpoints.data.next !== null && (
            <List.Item>Only the newest {count(endpoints.data.data.length)} were looked at.</List.Item>
          )}
        </List>
      )}
      <Group gap="md">
        <Anchor component={Link} size="sm" href={linkTo('/endpoints', { service })}>
          Endpoints of the service “{service}”
        </Anchor>
        <Anchor component={Link} size="sm" href={linkTo('/events', { unmatched: 'true', type })}>
          Other {type} that nobody wanted
        </Anchor>
      </Group>
    </Alert>
  );
}

function whys(endpoints: readonly Wishes[], type: string, subject: string | null, service: string): string[] {
  if (endpoints.length === 0) return [`There is no endpoint of the service “${service}”.`];
  const wanting = endpoints.filter((endpoint) => wantsType(endpoint, type));
  const fitting = wanting.filter((endpoint) => wantsSubject(endpoint, subject));
  const elsewhere = wanting.length - fitting.length;
  const about = subject === null ? 'and this event is about none in particular' : `and not ${subject}`;
  const others = endpoints.length - wanting.length;
  return [
    ...(others > 0 ? [`${plural(others, 'endpoint')} of ${service} did not ask for ${type}.`] : []),
    ...(elsewhere > 0
      ? [`${plural(elsewhere, 'endpoint')} asked for it, but only of certain stores or structures, ${about}.`]
      : []),
    ...(fitting.length > 0 ? [`${plural(fitting.length, 'endpoint')} would get such an event now.`] : []),
  ];
}
