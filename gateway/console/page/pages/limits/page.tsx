import { Alert, Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { CallerRow } from './caller-row.tsx';
import type { CallerUse } from './caller-use.ts';

const maxShown = 100;
const refetchEveryMs = 5000;

/** Each account's and token's use of its limits, now and over a period. */
export default function Limits() {
  const [{ near, caller }, change] = useFilters();
  const period = usePeriod();
  const onlyNear = near === 'true';
  const limits = useQuery({
    queryKey: ['limits', period, onlyNear],
    queryFn: () =>
      answer(api.GET('/limits', { params: { query: { period, near: onlyNear ? 'true' : 'false', limit: maxShown } } })),
    refetchInterval: refetchEveryMs,
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
            aria-label="Callers to show"
            value={onlyNear ? 'true' : ''}
            onChange={(value) => change({ near: value })}
            data={[
              { value: '', label: 'All callers' },
              { value: 'true', label: 'Near or over' },
            ]}
          />
          <PeriodSwitch />
        </>
      }
    >
      {limits.error && <Failure error={limits.error} retry={limits.refetch} />}
      {limits.isPending && <Loading />}
      {data && <Summary callers={data.data} period={period} truncated={data.truncated} />}
      {data && caller !== undefined && data.data.every((one) => one.caller !== caller) && (
        <Alert color="blue" title={`${caller} is not in this list`}>
          It made no calls {periods[period].words}
          {onlyNear ? ', or was not near a limit' : ''}. Choose a longer period, or{' '}
          <Anchor component={Link} size="sm" underline="always" href={linkTo('/calls', { caller })}>
            see its calls
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
      within their limits.{truncated && ` Only the ${maxShown} callers with the most refused calls are shown.`}
    </Text>
  );
}

function Nobody({ onlyNear, period }: { onlyNear: boolean; period: Period }) {
  if (onlyNear)
    return (
      <Empty title="Nobody is near a limit">{`No caller was refused or used 80 % of a limit ${periods[period].words}.`}</Empty>
    );
  return (
    <Empty title={`No calls by a known caller ${periods[period].words}`}>
      <p>
        A point-of-sale account is limited by its plan: Free has 100 calls a minute, Pro 1000, Enterprise no limit. Some routes of
        both APIs also have their own limit for every caller. A call over a limit gets 429 with the time to try again.
      </p>
      <p>
        Change an account's plan under{' '}
        <Anchor component={Link} size="sm" underline="always" href="/back-office/accounts">
          Back office, Accounts
        </Anchor>
        .
      </p>
    </Empty>
  );
}
