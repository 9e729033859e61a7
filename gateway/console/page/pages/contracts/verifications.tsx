import { Badge, Group, Code as Inline, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { useFilters } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { shortTime } from '../../lib/time.ts';
import { useZone } from '../../lib/zone.ts';
import { Copy } from '../../parts/code.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { Report } from './report.tsx';

const refetchEveryMs = 10_000;

/** The latest published verification, or the one in the address. */
export function Verifications() {
  const [{ id: named }, change] = useFilters();
  const zone = useZone();
  const list = useQuery({
    queryKey: ['verifications'],
    queryFn: async () => (await answer(api.GET('/verifications', { params: { query: { limit: 50 } } }))).data,
    refetchInterval: refetchEveryMs,
  });
  const id = named ?? list.data?.[0]?.id;
  const one = useQuery({
    queryKey: ['verification', id],
    queryFn: async () => (await answer(api.GET('/verifications/{id}', { params: { path: { id: id as string } } }))).data,
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (list.error) return <Failure error={list.error} retry={list.refetch} />;
  if (list.isPending) return <Loading />;
  if (list.data.length === 0 && named === undefined) return <NonePublished />;
  const verification = one.data;
  return (
    <Stack>
      <NativeSelect
        size="xs"
        label="Published verification"
        maw={420}
        value={id ?? ''}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ id: chosen === list.data[0]?.id ? undefined : chosen });
        }}
        data={list.data.map((each) => ({
          value: each.id,
          label: `${shortTime(each.created_at, zone)}: ${each.providers.join(', ')}, ${each.ok ? 'verified' : `${each.failed} failed`}`,
        }))}
      />
      {one.error && <Failure error={one.error} retry={one.refetch} />}
      {!verification && !one.error && <Loading />}
      {verification && (
        <>
          <Group gap="sm">
            <Badge size="lg" variant="light" color={verification.ok ? 'teal' : 'red'} tt="none">
              {verification.ok ? 'verified' : 'failed'}
            </Badge>
            <Text size="sm" component="div">
              {plural(verification.interactions, 'interaction')}, {verification.failed} failed. Published{' '}
              <Time at={verification.created_at} />.
            </Text>
          </Group>
          <Report of={verification.report} />
        </>
      )}
    </Stack>
  );
}

function NonePublished() {
  const command = `npx passerelle verify --publish-to ${location.origin} --token "$OPERATOR"`;
  return (
    <Empty title="No verification has been published yet">
      <p>
        A verification replays the interactions of the pacts against an implementation and reports the differences. Run this
        command to verify and publish the report here:
      </p>
      <Group gap="xs" justify="center" wrap="nowrap">
        <Inline className="break-anywhere">{command}</Inline>
        <Copy text={command} />
      </Group>
    </Empty>
  );
}
