import type { Clock } from '../../gateway/base/clock.ts';
import type { Api } from '../../gateway/http/api.ts';
import type { Count } from '../../gateway/http/limit/limit.ts';
import type { Store } from '../../gateway/store/port.ts';
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

/** Identifies callers as the active alternatives do. */
export const assumedIdentity = (api: Api, assumptions: Assumptions, store: Pick<Store, 'get'>): Api => ({
  ...api,
  identify(request) {
    const { live } = assumptions;
    return live?.identify === undefined
      ? api.identify(request)
      : live.identify(request, { identify: () => api.identify(request), store });
  },
});
