import { Checkbox, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, fieldErrors, type paths } from '../../lib/api.ts';
import { useEndpointName } from '../../lib/endpoint-names.ts';
import { type FilterValues, pickFilters, spans, withStartTime } from '../../lib/filters.ts';
import { count, plural } from '../../lib/format.ts';
import { useReasons } from '../../lib/reasons.ts';
import { useMayChange } from '../../lib/session.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../change-button.tsx';
import { Failure, Problem } from '../problem.tsx';

const statuses = [
  { value: 'pending', label: 'Pending (waiting for their schedule or turn)' },
  { value: 'failed', label: 'Failed (dead letters)' },
  { value: 'skipped', label: 'Skipped (their endpoint was not active)' },
] as const;
type Status = (typeof statuses)[number]['value'];

interface Selection {
  statuses: readonly Status[];
  reason: string;
  since: string;
}

type RecoveryBody = paths['/recoveries']['post']['requestBody']['content']['application/json'];
type Preview = Extract<
  paths['/recoveries']['post']['responses'][200]['content']['application/json']['data'],
  { matching: number }
>;

/** The filters of the list of deliveries that a recovery takes as they are. */
const sharedFilters = ['endpoint_id', 'event_id', 'event_type', 'q', 'response_status', 'from', 'to'];

function bodyOf(filter: FilterValues, { statuses, reason, since }: Selection): RecoveryBody {
  const { response_status, ...shared } = pickFilters(withStartTime({ ...filter, since }, Date.now()), sharedFilters);
  return {
    ...shared,
    statuses: [...statuses],
    ...(reason === '' ? {} : { reason }),
    ...(response_status === undefined ? {} : { response_status: Number(response_status) }),
  };
}

/** A recovery of everything is not allowed: without one of these, it needs a time span. */
const isBounded = ({ endpoint_id, event_id, from }: FilterValues) => (endpoint_id ?? event_id ?? from) !== undefined;

/** A filter without a status selects what is owed: deliveries that wait and dead letters. */
function initialSelection(filter: FilterValues): Selection {
  const { status, reason = '', since } = filter;
  const chosen = statuses.map(({ value }) => value).filter((value) => value === status);
  return {
    statuses: chosen.length > 0 ? chosen : ['pending', 'failed'],
    reason,
    since: since !== undefined && since in spans ? since : isBounded(filter) ? '' : '24h',
  };
}

interface RetryFormProps {
  filter: FilterValues;
  isActive: boolean;
  show(recoveryId: string): void;
}

export function RetryForm({ filter, isActive, show }: RetryFormProps) {
  const [selection, setSelection] = useState<Selection>(() => initialSelection(filter));
  const [pace, setPace] = useState<number | string>(20);
  const mayChange = useMayChange();
  const set = (changed: Partial<Selection>) => setSelection((before) => ({ ...before, ...changed }));
  // The dry run is a POST, which viewers may not send.
  const preview = useQuery({
    queryKey: ['recoveries', 'preview', filter, selection],
    queryFn: async () => {
      const { data } = await answer(api.POST('/recoveries', { body: { ...bodyOf(filter, selection), dry_run: true } }));
      return 'matching' in data ? data : null;
    },
    enabled: mayChange && selection.statuses.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });
  const start = useChange({
    run: async () => {
      const { data } = await answer(api.POST('/recoveries', { body: { ...bodyOf(filter, selection), pace: Number(pace) } }));
      return 'id' in data ? data.id : '';
    },
    showsRefusal: true,
  });
  const matching = selection.statuses.length === 0 ? 0 : (preview.data?.matching ?? 0);
  return (
    <Stack>
      {!isActive && (
        <Problem
          title="The endpoint is not active, so every delivery would be refused"
          next="Enable it first and send a test event."
        />
      )}
      <GivenFilters filter={filter} />
      <SelectionFields filter={filter} selection={selection} set={set} />
      <NumberInput
        label="Pace (deliveries per second)"
        description="1 to 1,000. Live traffic always goes first, and the endpoint's own limits hold."
        value={pace}
        onChange={setPace}
        allowDecimal={false}
        error={fieldErrors(start.error).pace}
      />
      {preview.error && <Failure error={preview.error} retry={preview.refetch} />}
      {start.error && !fieldErrors(start.error).pace && <Failure error={start.error} />}
      <Text size="sm" role="status">
        {preview.data ? (
          <Counted {...preview.data} matching={matching} pace={Number(pace)} statuses={selection.statuses} />
        ) : mayChange ? (
          'Counting …'
        ) : (
          'Only an operator can retry deliveries.'
        )}
      </Text>
      <Group justify="flex-end">
        <ChangeButton
          variant="filled"
          disabled={matching === 0 || !isActive}
          loading={start.isPending}
          onClick={() => start.mutate(undefined, { onSuccess: show })}
        >
          {matching === 0
            ? preview.data
              ? 'Nothing to retry'
              : 'Retry now'
            : `Retry ${plural(matching, 'delivery', 'deliveries')} now`}
        </ChangeButton>
      </Group>
    </Stack>
  );
}

interface CountedProps extends Preview {
  pace: number;
  statuses: readonly Status[];
}

function Counted({ matching, not_possible, by_endpoint, pace, statuses }: CountedProps) {
  if (matching === 0) return <>No deliveries match.</>;
  return (
    <>
      <b>{plural(matching, 'delivery', 'deliveries')}</b>
      {by_endpoint.length > 1 && ` to ${plural(by_endpoint.length, 'endpoint')}`} would be sent
      {pace > 0 && `, in about ${duration(Math.ceil(matching / pace) * 1000)}`}.
      {statuses.includes('pending') &&
        ' Held endpoints are tested at once. The schedule of a pending delivery continues if it fails.'}
      {not_possible > 0 && ` ${count(not_possible)} of them would be refused: the endpoint is not active.`}
    </>
  );
}

/** What the list's filters say, beside the fields of the form. */
function GivenFilters({ filter: { endpoint_id, event_id, event_type, q, response_status, from, to } }: { filter: FilterValues }) {
  const endpoint = useEndpointName(endpoint_id);
  const given = [
    endpoint_id === undefined ? 'all endpoints' : endpoint,
    event_id !== undefined && `event ${event_id}`,
    event_type,
    q !== undefined && `text “${q}”`,
    response_status !== undefined && `HTTP status ${response_status}`,
    from !== undefined && `from ${from}`,
    to !== undefined && `to ${to}`,
  ];
  return (
    <Text size="sm" className="break-anywhere">
      {given.filter(Boolean).join(', ')}
    </Text>
  );
}

interface SelectionFieldsProps {
  filter: FilterValues;
  selection: Selection;
  set(changed: Partial<Selection>): void;
}

function SelectionFields({ filter, selection: { statuses: chosen, reason, since }, set }: SelectionFieldsProps) {
  const reasons = useReasons();
  return (
    <>
      <Checkbox.Group
        label="Deliveries"
        value={[...chosen]}
        onChange={(values) => set({ statuses: values as Status[] })}
        error={chosen.length === 0 ? 'Choose at least one.' : undefined}
      >
        <Stack gap={6} mt={6}>
          {statuses.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group grow align="flex-end">
        <NativeSelect
          label="Error"
          value={reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
          data={[{ value: '', label: 'any' }, ...reasons.map((one) => ({ value: one.reason, label: one.title }))]}
        />
        {filter.from === undefined && (
          <NativeSelect
            label="Created"
            value={since}
            onChange={(event) => set({ since: event.currentTarget.value })}
            data={[
              ...(isBounded(filter) ? [{ value: '', label: 'any time' }] : []),
              ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
            ]}
          />
        )}
      </Group>
    </>
  );
}
