import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, dataOf } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import { queries } from '../../lib/queries.ts';
import { Facts } from '../../parts/facts.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';

const words = text.erasures;

/** How far an erasure is, what it found, and who has it. */
export function Progress({ id }: { id: string }) {
  const erasure = useQuery({
    queryKey: ['erasure', id],
    queryFn: () => dataOf(api.GET('/erasures/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : 2000),
  });
  const isDone = erasure.data?.status === 'done';
  // The list, and the actions of this row, are others then.
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: ['back-office', 'erasures'] });
  }, [isDone]);
  if (erasure.error) return <Failure error={erasure.error} retry={erasure.refetch} />;
  if (!erasure.data) return <Loading lines={3} />;
  const { status, dry_run, target, working_on, settled_at, found, receivers, receivers_count } = erasure.data;
  return (
    <Stack>
      <Group gap="xs" role="status">
        <Status of={status} />
        <Text size="sm">
          {working_on === 'remains' ? words.settles(<Time at={settled_at} />) : working_on !== null && words.worksOn(working_on)}
        </Text>
      </Group>
      <Section title={dry_run ? words.found.counted : words.found.erased}>
        {Object.keys(found).length === 0 ? (
          <Text size="sm">{isDone ? words.found.nothing[target.by] : words.found.nothingYet}</Text>
        ) : (
          <Facts of={Object.entries(found).map(([table, rows]) => [words.tables[table] ?? table, String(rows)] as const)} />
        )}
      </Section>
      <Section title={words.receivers.title(receivers_count)}>
        <Hint>{receivers_count === 0 ? words.receivers.none : words.receivers.advice}</Hint>
        {receivers.map(({ endpoint_id, host, owner, delivered, attempted }) => (
          <Text key={endpoint_id} size="sm">
            <PageLink href={linkTo(`/endpoints/${endpoint_id}`)}>{host ?? endpoint_id}</PageLink>{' '}
            {words.receivers.got(owner, delivered, attempted)}
          </Text>
        ))}
      </Section>
    </Stack>
  );
}
