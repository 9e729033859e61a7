import { Checkbox, Drawer, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, fieldErrors, type paths } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { spans } from '../../lib/filters.ts';
import { count, plural } from '../../lib/format.ts';
import { useReasons } from '../../lib/reasons.ts';
import { useMayChange } from '../../lib/session.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Failure, Problem } from '../../parts/problem.tsx';
import { RecoveryProgress } from './recovery-progress.tsx';
import { useLedger } from './use-ledger.ts';

interface RecoverDrawerProps {
  endpoint: Endpoint;
  opened: boolean;
  /** The id of the recovery to show. Left out before one is started. */
  recovery: string | undefined;
  show(recoveryId: string): void;
  close(): void;
}

/** Sends dead letters again. Counts them first (a dry run), then shows the recovery's progress. */
export function RecoverDrawer({ endpoint, opened, recovery, show, close }: RecoverDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size="lg"
      title={recovery === undefined ? 'Recover failed deliveries' : 'Recovery'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {recovery === undefined ? <RecoverForm endpoint={endpoint} show={show} /> : <RecoveryProgress id={recovery} />}
    </Drawer>
  );
}

type Status = 'failed' | 'skipped';
interface Selection {
  statuses: readonly Status[];
  reason: string;
  since: string;
}

type RecoveryBody = paths['/recoveries']['post']['requestBody']['content']['application/json'];

function bodyOf(endpointId: string, { statuses, reason, since }: Selection): RecoveryBody {
  const span = spans[since as keyof typeof spans];
  return {
    endpoint_id: endpointId,
    statuses: [...statuses],
    ...(reason === '' ? {} : { reason }),
    ...(span ? { from: new Date(Date.now() - span.ms).toISOString() } : {}),
  };
}

function RecoverForm({ endpoint, show }: { endpoint: Endpoint; show(recoveryId: string): void }) {
  const [selection, setSelection] = useState<Selection>({ statuses: ['failed'], reason: '', since: '' });
  const [pace, setPace] = useState<number | string>(20);
  const mayChange = useMayChange();
  const set = (changed: Partial<Selection>) => setSelection((before) => ({ ...before, ...changed }));
  // The dry run is a POST, which viewers may not send.
  const preview = useQuery({
    queryKey: ['recoveries', 'preview', endpoint.id, selection],
    queryFn: async () => {
      const { data } = await answer(api.POST('/recoveries', { body: { ...bodyOf(endpoint.id, selection), dry_run: true } }));
      return 'matching' in data ? data : null;
    },
    enabled: mayChange && selection.statuses.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });
  const start = useChange({
    run: async () => {
      const { data } = await answer(api.POST('/recoveries', { body: { ...bodyOf(endpoint.id, selection), pace: Number(pace) } }));
      return 'id' in data ? data.id : '';
    },
    showsRefusal: true,
  });
  const matching = preview.data?.matching ?? 0;
  return (
    <Stack>
      {!endpoint.active && (
        <Problem
          title="The endpoint is not active, so every delivery would be refused"
          next="Enable it first and send a test event."
        />
      )}
      <SelectionFields endpointId={endpoint.id} selection={selection} set={set} />
      <NumberInput
        label="Pace (deliveries per second)"
        description="1 to 1,000. Live traffic always goes first."
        value={pace}
        onChange={setPace}
        allowDecimal={false}
        error={fieldErrors(start.error).pace}
      />
      {preview.error && <Failure error={preview.error} retry={preview.refetch} />}
      {start.error && !fieldErrors(start.error).pace && <Failure error={start.error} />}
      <Text size="sm" role="status">
        {preview.data ? (
          <Counted {...preview.data} pace={Number(pace)} />
        ) : mayChange ? (
          'Counting …'
        ) : (
          'Only an operator can recover deliveries.'
        )}
      </Text>
      <Group justify="flex-end">
        <ChangeButton
          variant="filled"
          disabled={matching === 0 || !endpoint.active}
          loading={start.isPending}
          onClick={() => start.mutate(undefined, { onSuccess: show })}
        >
          {matching === 0
            ? preview.data
              ? 'Nothing to recover'
              : 'Send again'
            : `Send ${plural(matching, 'delivery', 'deliveries')} again`}
        </ChangeButton>
      </Group>
    </Stack>
  );
}

function Counted({ matching, not_possible, pace }: { matching: number; not_possible: number; pace: number }) {
  if (matching === 0) return <>No deliveries match.</>;
  return (
    <>
      <b>{plural(matching, 'delivery', 'deliveries')}</b> would get one more attempt
      {pace > 0 && `, in about ${duration(Math.ceil(matching / pace) * 1000)}`}.
      {not_possible > 0 && ` ${count(not_possible)} of them would be refused: the endpoint is not active.`}
    </>
  );
}

interface SelectionFieldsProps {
  endpointId: string;
  selection: Selection;
  set(changed: Partial<Selection>): void;
}

function SelectionFields({ endpointId, selection: { statuses, reason, since }, set }: SelectionFieldsProps) {
  const counts = useLedger(endpointId).data?.deliveries;
  const reasons = useReasons();
  return (
    <>
      <Checkbox.Group
        label="Deliveries"
        value={[...statuses]}
        onChange={(chosen) => set({ statuses: chosen as Status[] })}
        error={statuses.length === 0 ? 'Choose at least one.' : undefined}
      >
        <Group mt={6}>
          <Checkbox value="failed" label={`Failed (dead letters)${counts ? `: ${count(counts.failed)}` : ''}`} />
          <Checkbox value="skipped" label={`Skipped while not active${counts ? `: ${count(counts.skipped)}` : ''}`} />
        </Group>
      </Checkbox.Group>
      <Group grow align="flex-end">
        <NativeSelect
          label="Error"
          value={reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
          data={[{ value: '', label: 'any' }, ...reasons.map((one) => ({ value: one.reason, label: one.title }))]}
        />
        <NativeSelect
          label="Created"
          value={since}
          onChange={(event) => set({ since: event.currentTarget.value })}
          data={[{ value: '', label: 'any time' }, ...Object.entries(spans).map(([value, { label }]) => ({ value, label }))]}
        />
      </Group>
    </>
  );
}
