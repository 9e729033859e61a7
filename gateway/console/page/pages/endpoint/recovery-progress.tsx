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
import { count, plural, words } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';

type Recovery = paths['/recoveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const results = ['delivered', 'pending', 'failed', 'refused'] as const;
type Result = (typeof results)[number];
const colours: Readonly<Record<Result, MantineColor>> = { delivered: 'teal', pending: 'blue', failed: 'red', refused: 'gray' };

const isOver = ({ status, results }: Recovery) => (status === 'done' || status === 'canceled') && results.pending === 0;

/** One recovery as it goes: how far it is, what came of each, and how to stop it. */
export function RecoveryProgress({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['recovery', id],
    queryFn: async () => (await answer(api.GET('/recoveries/{id}', { params: { path: { id } } }))).data,
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : 1000),
  });
  const recovery = read.data;
  if (!recovery) return read.error ? <Failure error={read.error} retry={read.refetch} /> : <Waiting lines={4} />;
  return (
    <Stack>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <Group justify="space-between">
        <Group gap="xs">
          <Status of={recovery.status} />
          <Text size="sm">
            begun <RelativeTime at={recovery.created_at} />
          </Text>
        </Group>
        <Moves recovery={recovery} />
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
        {count(done)} of {count(total)} looked at
        {status === 'running' &&
          remaining_seconds_estimate !== null &&
          `, about ${duration(remaining_seconds_estimate * 1000)} to go`}
        {status === 'done' && counted.pending === 0 && counted.failed + counted.refused === 0 && ': all of them were delivered.'}
        {status === 'paused' && '. Paused: what is queued is still sent.'}
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

const moved = { pause: 'The recovery is paused.', resume: 'The recovery goes on.', cancel: 'The recovery was ended.' };

function Moves({ recovery: { id, status, pace, total, done } }: { recovery: Recovery }) {
  const [typed, setTyped] = useState<number | string>(pace);
  const params = { params: { path: { id } } };
  const move = useChange({
    run: async (name: keyof typeof moved) => {
      if (name === 'pause') await answer(api.POST('/recoveries/{id}/pause', params));
      else if (name === 'resume') await answer(api.POST('/recoveries/{id}/resume', params));
      else await answer(api.POST('/recoveries/{id}/cancel', params));
      return name;
    },
    done: (name) => moved[name],
  });
  const repace = useChange({
    run: (value: number) => answer(api.PATCH('/recoveries/{id}', { ...params, body: { pace: value } })),
    done: 'The pace was changed.',
  });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <Group gap="xs">
      <NumberInput
        size="xs"
        w={76}
        aria-label="Pace (deliveries a second)"
        value={typed}
        onChange={setTyped}
        allowDecimal={false}
      />
      {Number(typed) !== pace && (
        <ChangeButton loading={repace.isPending} onClick={() => repace.mutate(Number(typed))}>
          Set the pace
        </ChangeButton>
      )}
      {status === 'running' ? (
        <ChangeButton loading={move.isPending} onClick={() => move.mutate('pause')}>
          Pause
        </ChangeButton>
      ) : (
        <ChangeButton loading={move.isPending} onClick={() => move.mutate('resume')}>
          Resume
        </ChangeButton>
      )}
      <ConfirmButton
        label="End it"
        title="End this recovery for good?"
        consequences={[
          `${plural(total - done, 'delivery', 'deliveries')} not looked at yet stay as they are; another recovery can take them.`,
          'Attempts that are queued already are made.',
        ]}
        confirm={() => move.mutate('cancel')}
        buttonProps={{ color: 'red', variant: 'light' }}
      />
    </Group>
  );
}

/** The newest deliveries that came to a result. */
function Items({ recovery }: { recovery: Recovery }) {
  const [result, setResult] = useState<Result | ''>('');
  const { id } = recovery;
  const items = useQuery({
    queryKey: ['recovery', id, 'items', result],
    queryFn: async () => {
      const query = { limit: 20, ...(result === '' ? {} : { result }) };
      return answer(api.GET('/recoveries/{id}/items', { params: { path: { id }, query } }));
    },
    refetchInterval: isOver(recovery) ? false : 2000,
  });
  return (
    <Box>
      <SegmentedControl
        size="xs"
        aria-label="Deliveries by result"
        value={result}
        onChange={(value) => setResult(value as Result | '')}
        data={[{ value: '', label: 'all' }, ...results.map((value) => ({ value, label: value }))]}
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
          The first 20 are shown.
        </Text>
      )}
    </Box>
  );
}
