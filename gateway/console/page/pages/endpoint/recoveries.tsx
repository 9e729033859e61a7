import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from '../../lib/api.ts';
import { count } from '../../lib/format.ts';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';

type Recovery = paths['/recoveries']['get']['responses'][200]['content']['application/json']['data'][number];

/** The API lists recoveries of all endpoints. Only the newest are searched for this endpoint's. */
const maxSearched = 100;

export function Recoveries({ id, open }: { id: string; open(recoveryId: string): void }) {
  const recoveries = useQuery({
    queryKey: ['recoveries', 'newest'],
    queryFn: async () => (await answer(api.GET('/recoveries', { params: { query: { limit: maxSearched } } }))).data,
    refetchInterval: 3000,
  });
  const own = recoveries.data?.filter(({ filter }) => filter.endpoint_id === id || filter.endpoint_id === null) ?? [];
  return (
    <Section title="Recoveries">
      {recoveries.error ? (
        <Failure error={recoveries.error} retry={recoveries.refetch} />
      ) : !recoveries.data ? (
        <Loading lines={2} />
      ) : own.length === 0 ? (
        <Text size="sm" c="dimmed">
          None{recoveries.data.length === maxSearched && ` among the newest ${maxSearched}`}. “Retry now” starts one.
        </Text>
      ) : (
        <Stack gap={6}>
          {own.slice(0, 8).map((recovery) => (
            <Line key={recovery.id} recovery={recovery} open={() => open(recovery.id)} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Line({ recovery: { status, done, total, filter, created_at }, open }: { recovery: Recovery; open(): void }) {
  return (
    <Group gap="xs">
      <Anchor component="button" type="button" size="sm" onClick={open}>
        <RelativeTime at={created_at} />
      </Anchor>
      <Status of={status} />
      <Text size="sm">
        {count(done)} of {count(total)}
        {filter.endpoint_id === null && ' (all endpoints)'}
      </Text>
    </Group>
  );
}
