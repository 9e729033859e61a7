import { Anchor, Box, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { useEndpointNames } from '../../lib/endpoints.ts';
import { linkTo } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Section } from '../../parts/section.tsx';
import { shortUrl } from './problems.ts';

/** Recoveries that are under way, with how far they are. */
export function RunningRecoveries({ running }: { running: number }) {
  const endpoints = useEndpointNames();
  const recoveries = useQuery({
    queryKey: ['recoveries', 'running'],
    queryFn: async () => (await answer(api.GET('/recoveries', { params: { query: { status: 'running', limit: 10 } } }))).data,
    enabled: running > 0,
    refetchInterval: 2000,
  });
  if (running === 0 || !recoveries.data?.length) return null;
  return (
    <Section title="Recoveries under way">
      <Stack gap="xs">
        {recoveries.data.map(({ id, filter, done, total, remaining_seconds_estimate: left }) => {
          const url = endpoints.find((endpoint) => endpoint.id === filter.endpoint_id)?.url;
          const name = url ? shortUrl(url) : (filter.endpoint_id ?? 'all endpoints');
          const href = filter.endpoint_id === null ? '/endpoints' : linkTo(`/endpoints/${filter.endpoint_id}`, { recovery: id });
          return (
            <Box key={id}>
              <Group justify="space-between">
                <Anchor component={Link} href={href} size="sm" className="break-anywhere">
                  {name}
                </Anchor>
                <Text size="sm">
                  {count(done)} of {count(total)}
                  {left !== null && `, about ${duration(left * 1000)} to go`}
                </Text>
              </Group>
              <Progress value={total === 0 ? 100 : (done / total) * 100} color="blue" aria-label={`Recovery of ${name}`} />
            </Box>
          );
        })}
      </Stack>
    </Section>
  );
}
