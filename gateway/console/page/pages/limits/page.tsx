import { Alert, Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { CallerRow } from './caller-row.tsx';
import type { CallerUse } from './caller-use.ts';

const shownAtMost = 100;
const everyMs = 5000;

/** Use against limit for each account and token, now and over a period: all of it in the address. */
export default function Limits() {
  const [{ near, caller }, change] = useFilters();
  const period = usePeriod();
  const onlyNear = near === 'true';
  const limits = useQuery({
    queryKey: ['limits', period, onlyNear],
    queryFn: () =>
      answer(api.GET('/limits', { params: { query: { period, near: onlyNear ? 'true' : 'false', limit: shownAtMost } } })),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
  const { data } = limits;
  return (
    <Frame
      title="Limits"
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Which callers"
            value={onlyNear ? 'true' : ''}
            onChange={(value) => change({ near: value })}
            data={[
              { value: '', label: 'Everybody' },
              { value: 'true', label: 'Near or over' },
            ]}
          />
          <PeriodSwitch />
        </>
      }
    >
      {limits.error && <Failure error={limits.error} retry={limits.refetch} />}
      {limits.isPending && <Waiting />}
      {data && <Summary callers={data.data} period={period} truncated={data.truncated} />}
      {data && caller !== undefined && data.data.every((one) => one.caller !== caller) && (
        <Alert color="blue" title={`${caller} is not among them`}>
          It made no call {periods[period].words}
          {onlyNear ? ', or came near to no limit' : ''}. Try a longer period, or{' '}
          <Anchor component={Link} size="sm" underline="always" href={linkTo('/calls', { caller })}>
            look at its calls
          </Anchor>
          .
        </Alert>
      )}
      {data?.data.length === 0 && <Nobody onlyNear={onlyNear} period={period} />}
      <Stack gap="xs" component="ul" className="plain-list">
        {data?.data.map((one) => (
          <CallerRow
            key={one.caller}
            of={one}
            period={period}
            open={one.caller === caller}
            toggle={() => change({ caller: one.caller === caller ? undefined : one.caller })}
          />
        ))}
      </Stack>
    </Frame>
  );
}

function Summary({ callers, period, truncated }: { callers: readonly CallerUse[]; period: Period; truncated: boolean }) {
  const of = (state: CallerUse['state']) => callers.filter((caller) => caller.state === state).length;
  if (callers.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {plural(callers.length, 'caller')} {periods[period].words}: {of('over')} over a limit, {of('near')} near one, {of('ok')}{' '}
      well within.{truncated && ` Only the first ${shownAtMost} are shown, those refused most first.`}
    </Text>
  );
}

function Nobody({ onlyNear, period }: { onlyNear: boolean; period: Period }) {
  if (onlyNear)
    return (
      <Empty title="Nobody is near a limit">
        {`No caller was refused, or used 80 % of a limit or more, ${periods[period].words}.`}
      </Empty>
    );
  return (
    <Empty title={`No calls by a known caller ${periods[period].words}`}>
      <p>
        An account of the point of sale is limited by its plan: Free has 100 calls a minute, Pro 1000, Enterprise as many as it
        likes. Some routes of both APIs have a limit of their own, whoever calls. A call over a limit is refused with 429 and told
        when to come back.
      </p>
      <p>
        Plans are given under{' '}
        <Anchor component={Link} size="sm" underline="always" href="/back-office/accounts">
          Back office, Accounts
        </Anchor>
        .
      </p>
    </Empty>
  );
}
