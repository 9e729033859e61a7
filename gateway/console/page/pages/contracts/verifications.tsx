import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf, type paths } from '../../lib/api.ts';
import { useFilters } from '../../lib/filters.ts';
import { npxCommand } from '../../lib/services.ts';
import { shortTime } from '../../lib/time.ts';
import { useZone } from '../../lib/zone.ts';
import { Command } from '../../parts/code.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { Report } from './report.tsx';

const words = text.contracts.verifications;

const refetchEveryMs = 10_000;

type Verification = paths['/verifications/{id}']['get']['responses'][200]['content']['application/json']['data'];

/** The latest published verification, or the one in the address. */
export function Verifications() {
  const [{ id: named }, change] = useFilters();
  const zone = useZone();
  const list = useQuery({
    queryKey: ['verifications'],
    queryFn: () => dataOf(api.GET('/verifications', { params: { query: { limit: 50 } } })),
    refetchInterval: refetchEveryMs,
  });
  const id = named ?? list.data?.[0]?.id;
  const one = useQuery({
    queryKey: ['verification', id],
    queryFn: () => dataOf(api.GET('/verifications/{id}', { params: { path: { id: id as string } } })),
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
        label={words.label}
        maw={420}
        value={id ?? ''}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ id: chosen === list.data[0]?.id ? undefined : chosen });
        }}
        data={list.data.map((each) => ({
          value: each.id,
          label: labelOf(each, shortTime(each.created_at, zone)),
        }))}
      />
      {one.error && <Failure error={one.error} retry={one.refetch} />}
      {!verification && !one.error && <Loading />}
      {verification && <Result of={verification} />}
    </Stack>
  );
}

const Result = ({ of: verification }: { of: Verification }) => (
  <>
    <Group gap="sm">
      <Badge size="lg" color={verification.ok ? 'teal' : 'red'}>
        {verification.ok ? words.result.verified : words.result.failed}
      </Badge>
      <Text size="sm" component="div">
        {words.summary(verification.interactions, verification.failed, <Time at={verification.created_at} />)}
      </Text>
    </Group>
    <Report of={verification.report} />
  </>
);

function labelOf({ ok, failed, providers }: { ok: boolean; failed: number; providers: string[] }, at: string): string {
  const names = providers.join(', ');
  return ok ? words.verified(at, names) : words.failed(at, names, failed);
}

function NonePublished() {
  const command = `${npxCommand} verify --publish-to ${location.origin} --token "$PASSERELLE_OPERATOR_TOKEN"`;
  return (
    <Empty title={words.none.title} action={<Command text={command} />}>
      {words.none.next}
    </Empty>
  );
}
