import {
  Anchor,
  Badge,
  Box,
  Group,
  type MantineColor,
  NumberInput,
  Progress,
  SegmentedControl,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { choices } from '../../lib/filters.ts';
import { count, plural, words } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { Loading } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { Status } from '../status.tsx';
import { RelativeTime } from '../time.tsx';

type Recovery = paths['/recoveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const results = ['delivered', 'pending', 'failed', 'refused'] as const;
type Result = (typeof results)[number];
const colours: Readonly<Record<Result, MantineColor>> = { delivered: 'teal', pending: 'blue', failed: 'red', refused: 'gray' };

const isFinished = ({ status, results }: Recovery) => (status === 'done' || status === 'canceled') && results.pending === 0;

/** A recovery: its progress, its results, and buttons to pause, resume or cancel it. */
export function RecoveryProgress({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['recovery', id],
    queryFn: async () => (await answer(api.GET('/recoveries/{id}', { params: { path: { id } } }))).data,
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
          <Text size="sm">
            started <RelativeTime at={recovery.created_at} />
          </Text>
        </Group>
        <Controls recovery={recovery} />
      </Group>
      <Bar recovery={recovery} />
      <Items recovery={recovery} />
    </Stack>
  );
}

function Bar({ recovery: { results: counted, total, done, status, remaining_seconds_estimate } }: { recovery: Recovery }) {
  const share = (amount: number) => (total === 0 ? 0 : (amount / total) * 100);
  return (
    <Box>
      <Progress.Root size="xl" mb={6}>
        {results.map((result) => (
          <Progress.Section
            key={result}
            value={share(counted[result])}
            color={colours[result]}
            aria-label={`${result}: ${plural(counted[result], 'delivery', 'deliveries')} of ${count(total)}`}
          />
        ))}
      </Progress.Root>
      <Text size="sm" role="status">
        {count(done)} of {count(total)} processed
        {status === 'running' &&
          remaining_seconds_estimate !== null &&
          `, about ${duration(remaining_seconds_estimate * 1000)} left`}
        {status === 'done' && counted.pending === 0 && counted.failed + counted.refused === 0 && ': all were delivered.'}
        {status === 'paused' && '. Paused: queued deliveries are still sent.'}
      </Text>
      <Group gap="xs" mt={6}>
        {results.map((result) => (
          <Badge key={result} color={colours[result]} variant="light" tt="none">
            {count(counted[result])} {result}
          </Badge>
        ))}
      </Group>
    </Box>
  );
}

const doneTexts = { pause: 'The recovery is paused.', resume: 'The recovery continues.', cancel: 'The recovery was cancelled.' };

function Controls({ recovery: { id, status, pace, total, done } }: { recovery: Recovery }) {
  const [typed, setTyped] = useState<number | string>(pace);
  const params = { params: { path: { id } } };
  const control = useChange({
    run: async (name: keyof typeof doneTexts) => {
      if (name === 'pause') await answer(api.POST('/recoveries/{id}/pause', params));
      else if (name === 'resume') await answer(api.POST('/recoveries/{id}/resume', params));
      else await answer(api.POST('/recoveries/{id}/cancel', params));
      return name;
    },
    done: (name) => doneTexts[name],
  });
  const paceChange = useChange({
    run: (value: number) => answer(api.PATCH('/recoveries/{id}', { ...params, body: { pace: value } })),
    done: 'The pace was changed.',
  });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <Group gap="xs">
      <NumberInput
        size="xs"
        w={76}
        aria-label="Pace (deliveries per second)"
        value={typed}
        onChange={setTyped}
        allowDecimal={false}
      />
      {Number(typed) !== pace && (
        <ChangeButton loading={paceChange.isPending} onClick={() => paceChange.mutate(Number(typed))}>
          Set pace
        </ChangeButton>
      )}
      {status === 'running' ? (
        <ChangeButton loading={control.isPending} onClick={() => control.mutate('pause')}>
          Pause
        </ChangeButton>
      ) : (
        <ChangeButton loading={control.isPending} onClick={() => control.mutate('resume')}>
          Resume
        </ChangeButton>
      )}
      <ConfirmButton
        label="Cancel recovery"
        title="Cancel this recovery?"
        consequences={[
          `${plural(total - done, 'delivery is', 'deliveries are')} not processed yet and will not be sent. Another recovery can send them.`,
          'Attempts that are already queued are still made.',
        ]}
        confirm={() => control.mutate('cancel')}
        buttonProps={{ color: 'red', variant: 'light' }}
      />
    </Group>
  );
}

/** The recovery's deliveries, by result. */
function Items({ recovery }: { recovery: Recovery }) {
  const [result, setResult] = useState<Result | ''>('');
  const { id } = recovery;
  const items = useQuery({
    queryKey: ['recovery', id, 'items', result],
    queryFn: async () => {
      const query = { limit: 20, ...(result === '' ? {} : { result }) };
      return answer(api.GET('/recoveries/{id}/items', { params: { path: { id }, query } }));
    },
    refetchInterval: isFinished(recovery) ? false : 2000,
  });
  return (
    <Box>
      <SegmentedControl
        size="xs"
        aria-label="Deliveries by result"
        value={result}
        onChange={(value) => setResult(value as Result | '')}
        data={[{ value: '', label: 'all' }, ...choices(results)]}
        mb="xs"
      />
      {items.error && <Failure error={items.error} retry={items.refetch} />}
      {items.data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          None{result !== '' && ` ${result}`}.
        </Text>
      )}
      <Table fz="sm">
        <Table.Tbody>
          {items.data?.data.map((item) => (
            <Table.Tr key={item.delivery_id}>
              <Table.Td>
                <Anchor component={Link} href={`/deliveries/${item.delivery_id}`} size="sm">
                  {item.event_type ?? 'no longer kept'}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Status of={item.result} />
              </Table.Td>
              <Table.Td>{item.reason === null ? '' : words(item.reason)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {items.data?.next && (
        <Text size="xs" c="dimmed">
          Only the first 20 are shown.
        </Text>
      )}
    </Box>
  );
}
