import { Group, Paper, Progress, Stack, Title } from '@mantine/core';
import { linkTo } from '../../lib/filters.ts';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { text } from '../../texts/index.ts';
import { type EventDetail, type Status, statuses, useFanOut } from './fan-out.ts';

const colours: Readonly<Record<Status, string>> = {
  delivered: 'teal.6',
  pending: 'yellow.4',
  failed: 'red.6',
  skipped: 'gray.5',
};

/** An event's deliveries by status. Each figure links to its deliveries. */
export function FanOutBar({ event }: { event: EventDetail }) {
  const { counts, counted } = useFanOut(event);
  const matched = event.matched ?? counted;
  const shown = statuses.filter((status) => counts[status] > 0);
  const summary = shown.map((status) => text.event.fanOut[status](counts[status])).join(', ');
  return (
    <Paper withBorder p="md" component="section" aria-label={text.event.fanOut.title}>
      <Stack gap="xs">
        <Title order={2} size="h5">
          {text.event.fanOut.sentTo(matched)}
        </Title>
        <Progress.Root size="lg" role="img" aria-label={summary}>
          {shown.map((status) => (
            <Progress.Section
              key={status}
              value={(counts[status] / counted) * 100}
              color={colours[status]}
              withAria={false}
              aria-hidden
            />
          ))}
        </Progress.Root>
        <Group gap="md">
          {shown.map((status) => (
            <PageLink key={status} href={linkTo('/deliveries', { event_id: event.id, status })}>
              {text.event.fanOut[status](counts[status])}
            </PageLink>
          ))}
          {counted < matched && <Hint size="xs">{text.event.fanOut.counted(counted)}</Hint>}
          {(counts.failed > 0 || counts.skipped > 0) && <Hint size="xs">{text.event.fanOut.next}</Hint>}
        </Group>
      </Stack>
    </Paper>
  );
}
