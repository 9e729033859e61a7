import { Badge, Box, Group, type MantineColor, NumberInput, Progress, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, dataOf, type paths } from '../../lib/api.ts';
import { words } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { Hint } from '../hint.tsx';
import { Loading } from '../loading.tsx';
import { PageLink } from '../page-link.tsx';
import { Failure } from '../problem.tsx';
import { Status } from '../status.tsx';
import { RelativeTime } from '../time.tsx';

const texts = text.parts.recovery;

type Recovery = paths['/recoveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const results = ['delivered', 'pending', 'failed', 'refused'] as const;
type Result = (typeof results)[number];
const colours: Readonly<Record<Result, MantineColor>> = { delivered: 'teal', pending: 'yellow', failed: 'red', refused: 'gray' };

const isFinished = ({ status, results }: Recovery) => (status === 'done' || status === 'canceled') && results.pending === 0;

/** A recovery: its progress, its results, and buttons to pause, resume or cancel it. */
export function RecoveryProgress({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['recovery', id],
    queryFn: () => dataOf(api.GET('/recoveries/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data && isFinished(data) ? false : 1000),
  });
  const recovery = read.data;
  if (!recovery) return read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={4} />;
  return (
    <Stack>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <Group justify="space-between">
        <Group gap="xs">
          <Status of={recovery.status} />
          <Text size="sm">{texts.started(<RelativeTime at={recovery.created_at} />)}</Text>
        </Group>
        <Controls recovery={recovery} />
      </Group>
      <Bar recovery={recovery} />
      <Items recovery={recovery} />
    </Stack>
  );
}

function progressOf({ results: counted, total, done, status, remaining_seconds_estimate }: Recovery): string {
  if (status === 'running' && remaining_seconds_estimate !== null)
    return texts.processedLeft(done, total, duration(remaining_seconds_estimate * 1000));
  if (status === 'done' && counted.pending === 0 && counted.failed + counted.refused === 0)
    return texts.allDelivered(done, total);
  if (status === 'paused') return texts.isPaused(done, total);
  return texts.processed(done, total);
}

function Bar({ recovery }: { recovery: Recovery }) {
  const { results: counted, total } = recovery;
  const share = (amount: number) => (total === 0 ? 0 : (amount / total) * 100);
  return (
    <Box>
      <Progress.Root size="xl" mb={6}>
        {results.map((result) => (
          <Progress.Section
            key={result}
            value={share(counted[result])}
            color={colours[result]}
            aria-label={texts.share(texts.results[result], counted[result], total)}
          />
        ))}
      </Progress.Root>
      <Text size="sm" role="status">
        {progressOf(recovery)}
      </Text>
      <Group gap="xs" mt={6}>
        {results.map((result) => (
          <Badge key={result} color={colours[result]}>
            {texts.amount(counted[result], texts.results[result])}
          </Badge>
        ))}
      </Group>
    </Box>
  );
}

function Controls({ recovery: { id, status, pace, total, done } }: { recovery: Recovery }) {
  const [typed, setTyped] = useState<number | string>(pace);
  const params = { params: { path: { id } } };
  const control = useChange({
    run: async (name: keyof typeof texts.done) => {
      await answer(api.PATCH('/recoveries/{id}', { ...params, body: { status: name } }));
      return name;
    },
    done: (name) => texts.done[name],
  });
  const paceChange = useChange({
    run: (value: number) => answer(api.PATCH('/recoveries/{id}', { ...params, body: { pace: value } })),
    done: texts.paceChanged,
  });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <Group gap="xs">
      <NumberInput size="xs" w={76} aria-label={text.parts.retry.pace} value={typed} onChange={setTyped} allowDecimal={false} />
      {Number(typed) !== pace && (
        <ChangeButton loading={paceChange.isPending} onClick={() => paceChange.mutate(Number(typed))}>
          {texts.setPace}
        </ChangeButton>
      )}
      {status === 'running' ? (
        <ChangeButton loading={control.isPending} onClick={() => control.mutate('paused')}>
          {texts.pause}
        </ChangeButton>
      ) : (
        <ChangeButton loading={control.isPending} onClick={() => control.mutate('running')}>
          {texts.resume}
        </ChangeButton>
      )}
      <ConfirmButton
        label={texts.cancel}
        title={texts.cancelTitle}
        consequences={[texts.cancelEffects(total - done), texts.cancelQueued]}
        confirm={() => control.mutate('canceled')}
        buttonProps={{ color: 'red', variant: 'light' }}
      />
    </Group>
  );
}

const maxItems = 20;
type Item = paths['/recoveries/{id}/items']['get']['responses'][200]['content']['application/json']['data'][number];

function Items({ recovery }: { recovery: Recovery }) {
  const [result, setResult] = useState<Result | ''>('');
  const { id } = recovery;
  const finished = isFinished(recovery);
  const items = useQuery({
    // The end is part of the key: what was read before it may lack the last results, and is not read again after it.
    queryKey: ['recovery', id, 'items', result, finished],
    queryFn: async () => {
      const query = { limit: maxItems, ...(result === '' ? {} : { result }) };
      return answer(api.GET('/recoveries/{id}/items', { params: { path: { id }, query } }));
    },
    refetchInterval: finished ? false : 2000,
  });
  return (
    <Box>
      <SegmentedControl
        size="xs"
        aria-label={texts.byResult}
        value={result}
        onChange={(value) => setResult(value as Result | '')}
        data={[{ value: '', label: texts.all }, ...results.map((value) => ({ value, label: texts.results[value] }))]}
        mb="xs"
      />
      {items.error && <Failure error={items.error} retry={items.refetch} />}
      {items.data?.data.length === 0 && <Hint>{texts.noItems[result]}</Hint>}
      <Table fz="sm">
        <Table.Tbody>
          {items.data?.data.map((item) => (
            <ItemRow key={item.delivery_id} item={item} />
          ))}
        </Table.Tbody>
      </Table>
      {items.data?.next && <Hint size="xs">{texts.firstOnly(maxItems)}</Hint>}
    </Box>
  );
}

const ItemRow = ({ item }: { item: Item }) => (
  <Table.Tr>
    <Table.Td>
      <PageLink href={`/deliveries/${item.delivery_id}`}>{item.event_type ?? texts.noLongerKept}</PageLink>
    </Table.Td>
    <Table.Td>
      <Status of={item.result} />
    </Table.Td>
    <Table.Td>{item.reason === null ? '' : (text.server.reasons[item.reason]?.title ?? words(item.reason))}</Table.Td>
  </Table.Tr>
);
