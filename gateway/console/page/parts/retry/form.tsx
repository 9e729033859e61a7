import { Checkbox, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, fieldErrors, type paths } from '../../lib/api.ts';
import { type FilterValues, pickFilters, spans, withStartTime } from '../../lib/filters.ts';
import { filterNames, typed } from '../../lib/listed.ts';
import { useMayChange } from '../../lib/may-change.ts';
import { reasons } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Failure, Problem } from '../problem.tsx';

const texts = text.parts.retry;

const statuses = ['pending', 'failed', 'skipped'] as const;
export type RetryStatus = (typeof statuses)[number];

interface Selection {
  statuses: readonly RetryStatus[];
  reason: string;
  since: string;
}

type RecoveryBody = paths['/recoveries']['post']['requestBody']['content']['application/json'];
type Preview = Extract<
  paths['/recoveries']['post']['responses'][200]['content']['application/json']['data'],
  { matching: number }
>;

/** The form chooses the first two of these, and a recovery does not have the others. */
const leftOut = ['status', 'reason', 'waits_for', 'partner', 'blocking'];
/** The filters of the list of deliveries that a recovery takes as they are. */
const sharedFilters = filterNames('deliveries').filter((name) => !leftOut.includes(name));

const bodyOf = (filter: FilterValues, { statuses, reason, since }: Selection): RecoveryBody => ({
  ...typed('deliveries', pickFilters(withStartTime({ ...filter, since }, Date.now()), sharedFilters)),
  statuses: [...statuses],
  ...(reason === '' ? {} : { reason }),
});

/** A recovery of everything is not allowed: without one of these, it needs a time span. */
const isBounded = ({ owner, endpoint_id, event_id, from }: FilterValues) =>
  (owner ?? endpoint_id ?? event_id ?? from) !== undefined;

/** A filter without a status selects what is owed. */
function initialSelection(filter: FilterValues, owed: readonly RetryStatus[]): Selection {
  const { status, reason = '', since } = filter;
  const chosen = statuses.filter((one) => one === status);
  return {
    statuses: chosen.length > 0 ? chosen : owed,
    reason,
    since: since !== undefined && since in spans ? since : isBounded(filter) ? '' : '24h',
  };
}

/**
 * The filters that a recovery cannot keep: one that it does not have, or a value that is not a choice of its form. Without
 * them it would send more than the list shows.
 */
function droppedFilters(filter: FilterValues): string[] {
  const isKept = ([name, value]: [string, string]) => {
    if (name === 'status') return statuses.some((status) => status === value);
    if (name === 'since') return value === 'custom' || value in spans;
    return name === 'reason' || sharedFilters.includes(name);
  };
  return Object.entries(filter).flatMap((pair) => (isKept(pair) ? [] : [pair.join('=')]));
}

interface RetryFormProps {
  filter: FilterValues;
  endpointName: string | undefined;
  isActive: boolean;
  owed: readonly RetryStatus[];
  show(recoveryId: string): void;
}

export function RetryForm(props: RetryFormProps) {
  const dropped = droppedFilters(props.filter);
  return dropped.length > 0 ? (
    <Problem title={texts.dropped(dropped.join(', '))} next={texts.droppedNext} />
  ) : (
    <SelectionForm {...props} />
  );
}

function SelectionForm({ filter, endpointName, isActive, owed, show }: RetryFormProps) {
  const [selection, setSelection] = useState<Selection>(() => initialSelection(filter, owed));
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
      {!isActive && <Problem title={texts.notActive} next={texts.notActiveNext} />}
      <GivenFilters filter={filter} endpointName={endpointName} />
      <SelectionFields filter={filter} selection={selection} set={set} />
      <NumberInput
        label={texts.pace}
        description={texts.paceHelp}
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
          texts.counting
        ) : (
          texts.onlyOperator
        )}
      </Text>
      <Group justify="flex-end">
        <ChangeButton
          variant="filled"
          disabled={matching === 0 || !isActive}
          loading={start.isPending}
          onClick={() => start.mutate(undefined, { onSuccess: show })}
        >
          {matching === 0 ? (preview.data ? texts.nothing : texts.now) : texts.retry(matching)}
        </ChangeButton>
      </Group>
    </Stack>
  );
}

interface CountedProps extends Preview {
  pace: number;
  statuses: readonly RetryStatus[];
}

function Counted({ matching, not_possible, by_endpoint, pace, statuses }: CountedProps) {
  if (matching === 0) return <>{texts.noMatch}</>;
  return (
    <>
      {texts.wouldBeSent(matching, by_endpoint.length, pace > 0 ? duration(Math.ceil(matching / pace) * 1000) : null)}
      {statuses.includes('pending') && ` ${texts.pendingNote}`}
      {not_possible > 0 && ` ${texts.wouldBeRefused(not_possible)}`}
    </>
  );
}

const { allEndpoints, ...phrases } = texts.given;
const labels: Readonly<Record<string, string>> = text.deliveries.filters;

/** The list's filters beside the fields of the form: in a phrase of their own, or with their label. */
function GivenFilters({ filter, endpointName }: Pick<RetryFormProps, 'filter' | 'endpointName'>) {
  const { endpoint_id, ...others } = pickFilters(filter, sharedFilters);
  const say: Readonly<Record<string, (value: string) => string>> = phrases;
  const given = Object.entries(others).map(([name, value]) => say[name]?.(value) ?? `${labels[name] ?? name} ${value}`);
  return (
    <Text size="sm" className="break-anywhere">
      {[endpoint_id === undefined ? allEndpoints : (endpointName ?? endpoint_id), ...given].join(', ')}
    </Text>
  );
}

interface SelectionFieldsProps {
  filter: FilterValues;
  selection: Selection;
  set(changed: Partial<Selection>): void;
}

const SelectionFields = ({ filter, selection: { statuses: chosen, reason, since }, set }: SelectionFieldsProps) => (
  <>
    <Checkbox.Group
      label={texts.deliveries}
      value={[...chosen]}
      onChange={(values) => set({ statuses: values as RetryStatus[] })}
      error={chosen.length === 0 ? texts.chooseOne : undefined}
    >
      <Stack gap={6} mt={6}>
        {statuses.map((status) => (
          <Checkbox key={status} value={status} label={texts.statuses[status]} />
        ))}
      </Stack>
    </Checkbox.Group>
    <Group grow align="flex-end">
      <NativeSelect
        label={texts.error}
        value={reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
        data={[{ value: '', label: text.parts.any }, ...reasons.map((one) => ({ value: one.reason, label: one.title }))]}
      />
      {filter.from === undefined && (
        <NativeSelect
          label={texts.created}
          value={since}
          onChange={(event) => set({ since: event.currentTarget.value })}
          data={[
            ...(isBounded(filter) ? [{ value: '', label: text.parts.filters.anyTime }] : []),
            ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      )}
    </Group>
  </>
);
