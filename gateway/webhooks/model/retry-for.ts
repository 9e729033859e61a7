import type { Row } from '../../store/tables/index.ts';

export const [leastRetryHours, mostRetryHours] = [1, 240];

/** Returns for how long after its event a delivery is retried, in milliseconds; 0 if the endpoint has no time of its own. */
export const retryForMs = ({ retry_for_hours }: Pick<Row<'endpoints'>, 'retry_for_hours'>): number =>
  (retry_for_hours ?? 0) * 3_600_000;
