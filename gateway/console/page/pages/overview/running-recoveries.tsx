import { Anchor, Box, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { useEndpointName } from '../../lib/endpoint-names.ts';
import { linkTo } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Section } from '../../parts/section.tsx';

type Recovery = paths['/recoveries']['get']['responses'][200]['content']['application/json']['data'][number];

/** The running recoveries and their progress. */
export function RunningRecoveries({ running }: { running: number }) {
  const recoveries = useQuery({
    queryKey: ['recoveries', 'running'],
    queryFn: async () => (await answer(api.GET('/recoveries', { params: { query: { status: 'running', limit: 10 } } }))).data,
    enabled: running > 0,
    refetchInterval: 2000,
  });
  if (running === 0 || !recoveries.data?.length) return null;
  return (
    <Section title="Running recoveries">
      <Stack gap="xs">
        {recoveries.data.map((recovery) => (
          <Running key={recovery.id} {...recovery} />
        ))}
      </Stack>
    </Section>
  );
}

function Running({ id, filter: { endpoint_id: endpointId }, done, total, remaining_seconds_estimate: left }: Recovery) {
  const name = useEndpointName(endpointId ?? undefined) || 'all endpoints';
  const href = linkTo(endpointId === null ? '/deliveries' : `/endpoints/${endpointId}`, { recovery: id });
  return (
    <Box>
      <Group justify="space-between">
        <Anchor component={Link} href={href} size="sm" className="break-anywhere">
          {name}
        </Anchor>
        <Text size="sm">
          {count(done)} of {count(total)}
          {left !== null && `, about ${duration(left * 1000)} left`}
        </Text>
      </Group>
      <Progress value={total === 0 ? 100 : (done / total) * 100} color="blue" aria-label={`Recovery of ${name}`} />
    </Box>
  );
}
