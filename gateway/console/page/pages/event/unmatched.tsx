import { Alert, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { text } from '../../texts/index.ts';
import type { EventDetail } from './fan-out.ts';

type Endpoint = paths['/endpoints']['get']['responses'][200]['content']['application/json']['data'][number];
type Subscription = Pick<Endpoint, 'events' | 'perimeter' | 'filter'>;

const matchesType = ({ events }: Subscription, type: string) => events === null || events.includes(type);
const matchesSubject = ({ perimeter }: Subscription, subject: string | null) =>
  perimeter === null || (subject !== null && perimeter.includes(subject));

/** Why no endpoint matched an event. Looks at the endpoints as they are now, not as they were. */
export function Unmatched({ event }: { event: EventDetail }) {
  const { service, type } = event;
  const endpoints = useQuery({
    queryKey: ['endpoints', 'subscriptions', service],
    queryFn: () => answer(api.GET('/endpoints', { params: { query: { service, limit: 100 } } })),
  });
  return (
    <Alert color="gray" title={text.event.unmatched.title}>
      <Text size="sm">{text.event.unmatched.when}</Text>
      {endpoints.data && (
        <List size="sm" my="xs">
          {mismatches(endpoints.data.data, event).map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
          {endpoints.data.next !== null && <List.Item>{text.event.unmatched.checked(endpoints.data.data.length)}</List.Item>}
        </List>
      )}
      <Group gap="md">
        <PageLink href={linkTo('/endpoints', { service })}>{text.event.unmatched.ofService(service)}</PageLink>
        <PageLink href={linkTo('/events', { unmatched: 'true', type })}>{text.event.unmatched.others(type)}</PageLink>
      </Group>
    </Alert>
  );
}

function mismatches(endpoints: readonly Subscription[], { type, subject, service, filtered }: EventDetail): string[] {
  const texts = text.event.unmatched;
  if (endpoints.length === 0) return [texts.noEndpoint(service)];
  const ofType = endpoints.filter((endpoint) => matchesType(endpoint, type));
  const addressed = ofType.filter((endpoint) => matchesSubject(endpoint, subject));
  const elsewhere = ofType.length - addressed.length;
  const matching = addressed.filter(({ filter }) => filter === null || !filtered);
  const others = endpoints.length - ofType.length;
  return [
    ...(others > 0 ? [texts.otherTypes(others, service, type)] : []),
    ...(elsewhere > 0 ? [subject === null ? texts.noSubject(elsewhere) : texts.otherSubjects(elsewhere, subject)] : []),
    ...(filtered ? [texts.filtered(filtered)] : []),
    ...(matching.length > 0 ? [texts.matchingNow(matching.length)] : []),
  ];
}
