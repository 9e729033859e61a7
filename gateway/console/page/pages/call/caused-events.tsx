import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { Status } from '../../parts/status.tsx';
import { text } from '../../texts/index.ts';

/** The events that a call caused, with how their deliveries went. Nothing if there are none. */
export function CausedEvents({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['story', 'of call', id],
    queryFn: async () => (await answer(api.GET('/story', { params: { query: { q: id } } }))).data,
  });
  const { events = [], deliveries = [] } = read.data ?? {};
  if (events.length === 0) return null;
  return (
    <Group gap="md" component="section" aria-label={text.call.caused.title}>
      {events.map((event) => (
        <Group key={event.id} gap="xs">
          <Text size="sm">{text.call.caused.event}</Text>
          <Anchor component={Link} size="sm" href={`/events/${encodeURIComponent(event.id)}`}>
            {event.type}
          </Anchor>
          {deliveries
            .filter(({ event_id }) => event_id === event.id)
            .map((delivery) => (
              <Link key={delivery.id} href={`/deliveries/${encodeURIComponent(delivery.id)}`}>
                <Status of={delivery.status} />
              </Link>
            ))}
        </Group>
      ))}
    </Group>
  );
}
