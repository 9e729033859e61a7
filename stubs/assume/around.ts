import type { Clock } from '../../gateway/base/clock.ts';
import type { Count } from '../../gateway/http/limit/limit.ts';
import type { Assumptions } from './assumptions.ts';

/** Counts calls as the active alternatives do. */
export const assumedCount =
  (assumptions: Assumptions, clock: Clock, count: Count): Count =>
  (request, rule, increment) => {
    const { live } = assumptions;
    return live?.count === undefined
      ? count(request, rule, increment)
      : live.count({ request, rule, increment }, { count, clock });
  };
