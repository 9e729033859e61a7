import { Alert, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { text } from '../../texts/index.ts';
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
      title={text.limits.title}
      actions={
        <>
          <NearSwitch onlyNear={onlyNear} change={(value) => change({ near: value })} />
          <PeriodSwitch />
        </>
      }
    >
      {limits.error && <Failure error={limits.error} retry={limits.refetch} />}
      {limits.isPending && <Loading />}
      {data && <Summary callers={data.data} period={period} truncated={data.truncated} />}
      {data && caller !== undefined && data.data.every((one) => one.caller !== caller) && (
        <Absent caller={caller} onlyNear={onlyNear} period={period} />
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

const NearSwitch = ({ onlyNear, change }: { onlyNear: boolean; change(near: string): void }) => (
  <SegmentedControl
    size="xs"
    aria-label={text.limits.show}
    value={onlyNear ? 'true' : ''}
    onChange={change}
    data={[
      { value: '', label: text.limits.all },
      { value: 'true', label: text.limits.near },
    ]}
  />
);

interface Shown {
  onlyNear: boolean;
  period: Period;
}

function Absent({ caller, onlyNear, period }: Shown & { caller: string }) {
  const { title, noCalls, noCallsOrNotNear, link } = text.limits.absent;
  const why = onlyNear ? noCallsOrNotNear : noCalls;
  const calls = (
    <PageLink underline="always" href={linkTo('/calls', { caller })}>
      {link}
    </PageLink>
  );
  return <Alert title={title(caller)}>{why(periods[period].words, calls)}</Alert>;
}

function Summary({ callers, period, truncated }: { callers: readonly CallerUse[]; period: Period; truncated: boolean }) {
  const of = (state: CallerUse['state']) => callers.filter((caller) => caller.state === state).length;
  if (callers.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {text.limits.summary(callers.length, periods[period].words, of('over'), of('near'), of('ok'))}
      {truncated && ` ${text.limits.truncated(maxShown)}`}
    </Text>
  );
}

function Nobody({ onlyNear, period }: Shown) {
  if (onlyNear) return <Empty title={text.limits.nobodyNear.title}>{text.limits.nobodyNear.why(periods[period].words)}</Empty>;
  const accounts = (
    <PageLink underline="always" href="/back-office/accounts">
      {text.limits.nobody.accounts}
    </PageLink>
  );
  return (
    <Empty title={text.limits.nobody.title(periods[period].words)}>
      <p>{text.limits.nobody.limits}</p>
      <p>{text.limits.nobody.plan(accounts)}</p>
    </Empty>
  );
}
