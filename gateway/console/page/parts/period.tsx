import { SegmentedControl } from '@mantine/core';
import { type Period, periods } from '../lib/figures.ts';
import { useFilters } from '../lib/filters.ts';

/** The period that the page's address names; an hour where it names none. */
export function usePeriod(): Period {
  const [{ period }] = useFilters();
  return period !== undefined && Object.hasOwn(periods, period) ? (period as Period) : 'hour';
}

/** Chooses the period of a page's figures. */
export function PeriodSwitch() {
  const [, change] = useFilters();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Period of the figures"
      value={usePeriod()}
      onChange={(period) => change({ period: period === 'hour' ? undefined : period })}
      data={Object.entries(periods).map(([value, { label }]) => ({ value, label }))}
    />
  );
}
