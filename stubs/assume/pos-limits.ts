import { callerOf } from '../../gateway/api/pos/identity.ts';
import { isGuard } from '../../gateway/http/limit/limit.ts';
import { countedPer } from './limits.ts';
import type { Variants } from './types.ts';

export const posLimitVariants: Variants = {
  // Each key has a limit of its own, as large as the plan's.
  'pos.plan-scope=per-key': countedPer(
    ({ per }) => per === 'account',
    (request, rule) => `${rule.key(request)} ${callerOf(request).keyId}`,
  ),
  'pos.token-guard=none': {
    count: ({ request, rule, increment }, { count }) => (isGuard(rule) ? null : count(request, rule, increment)),
  },
};
