import { Box, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type paths } from '../../lib/api.ts';
import { useEndpointName } from '../../lib/endpoint-names.ts';
import { linkTo } from '../../lib/filters.ts';
import { usePartnerName } from '../../lib/partners.ts';
import { duration } from '../../lib/time.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

type Recovery = paths['/recoveries']['get']['responses'][200]['content']['application/json']['data'][number];

export function RunningRecoveries({ running }: { running: number }) {
  const recoveries = useQuery({
    queryKey: ['recoveries', 'running'],
    queryFn: () => dataOf(api.GET('/recoveries', { params: { query: { status: 'running', limit: 10 } } })),
    enabled: running > 0,
    refetchInterval: 2000,
  });
  if (running === 0 || !recoveries.data?.length) return null;
  return (
    <Section title={text.overview.recoveries.title}>
      <Stack gap="xs">
        {recoveries.data.map((recovery) => (
          <Running key={recovery.id} {...recovery} />
        ))}
      </Stack>
    </Section>
  );
}

function Running({ id, filter: { endpoint_id: endpointId, owner }, done, total, remaining_seconds_estimate: left }: Recovery) {
  const says = text.overview.recoveries;
  const ownerName = usePartnerName(owner ?? undefined);
  const name = useEndpointName(endpointId ?? undefined) || (ownerName === '' ? says.allEndpoints : says.allOf(ownerName));
  const href = linkTo(endpointId === null ? '/deliveries' : `/endpoints/${endpointId}`, { recovery: id });
  return (
    <Box>
      <Group justify="space-between">
        <PageLink href={href} className="break-anywhere">
          {name}
        </PageLink>
        <Text size="sm">
          {left === null ? says.progress(done, total) : says.progressWithTime(done, total, duration(left * 1000))}
        </Text>
      </Group>
      <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label={says.of(name)} />
    </Box>
  );
}
