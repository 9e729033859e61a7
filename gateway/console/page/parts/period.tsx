import { SegmentedControl } from '@mantine/core';
import { type Period, periods } from '../lib/figures.ts';
import { useFilters } from '../lib/filters.ts';
import { text } from '../texts/shared.ts';

/** The period in the page's address. Default: an hour. */
export function usePeriod(): Period {
  const [{ period }] = useFilters();
  return period !== undefined && Object.hasOwn(periods, period) ? (period as Period) : 'hour';
}

/** Selects the period of a page's figures. */
export function PeriodSwitch() {
  const [, change] = useFilters();
  return (
    <SegmentedControl
      size="xs"
      aria-label={text.parts.period.label}
      value={usePeriod()}
      onChange={(period) => change({ period: period === 'hour' ? undefined : period })}
      data={Object.entries(periods).map(([value, { label }]) => ({ value, label }))}
    />
  );
}
