import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type paths } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';

type Owner = Endpoint['owner'];
type Recovery = paths['/recoveries']['get']['responses'][200]['content']['application/json']['data'][number];

/** The API lists recoveries of all endpoints. Only the newest are searched for this endpoint's. */
const maxSearched = 100;

interface Of {
  id: string;
  owner: Owner;
}

/** Whether a recovery may have sent something to the endpoint. A filter without an owner is for those of everybody. */
const concerns = ({ id, owner }: Of, { filter }: Recovery): boolean =>
  filter.endpoint_id === id || (filter.endpoint_id === null && (filter.owner === null || filter.owner === owner.id));

export function Recoveries({ endpoint, open }: { endpoint: Of; open(recoveryId: string): void }) {
  const recoveries = useQuery({
    queryKey: ['recoveries', 'newest'],
    queryFn: () => dataOf(api.GET('/recoveries', { params: { query: { limit: maxSearched } } })),
    refetchInterval: 3000,
  });
  const own = recoveries.data?.filter((one) => concerns(endpoint, one)) ?? [];
  return (
    <Section title={text.endpoint.recoveries.title}>
      {recoveries.error ? (
        <Failure error={recoveries.error} retry={recoveries.refetch} />
      ) : !recoveries.data ? (
        <Loading lines={2} />
      ) : own.length === 0 ? (
        <Hint>
          {recoveries.data.length === maxSearched
            ? text.endpoint.recoveries.noneAmong(maxSearched)
            : text.endpoint.recoveries.none}
        </Hint>
      ) : (
        <Stack gap={6}>
          {own.slice(0, 8).map((recovery) => (
            <Line key={recovery.id} recovery={recovery} owner={endpoint.owner} open={() => open(recovery.id)} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Line({ recovery, owner, open }: { recovery: Recovery; owner: Owner; open(): void }) {
  const { status, done, total, filter, created_at } = recovery;
  const words = text.endpoint.recoveries;
  return (
    <Group gap="xs">
      <Anchor component="button" type="button" size="sm" onClick={open}>
        <RelativeTime at={created_at} />
      </Anchor>
      <Status of={status} />
      <Text size="sm">
        {filter.endpoint_id !== null
          ? words.done(done, total)
          : filter.owner === null
            ? words.doneOfAll(done, total)
            : words.doneOfOwner(done, total, owner.name ?? filter.owner)}
      </Text>
    </Group>
  );
}
