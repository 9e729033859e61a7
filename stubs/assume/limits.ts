import type { FastifyRequest } from 'fastify';
import type { LimitRule } from '../../gateway/http/api.ts';
import type { Variant } from './types.ts';

export type IsRule = (rule: LimitRule) => boolean;

/** Counts the calls with the same key together. Other rules count as ever. */
export const countedPer = (holds: IsRule, keyOf: (request: FastifyRequest, rule: LimitRule) => string): Variant => ({
  count({ request, rule, increment }, { count }) {
    if (!holds(rule)) return count(request, rule, increment);
    return count(request, { ...rule, key: (one) => keyOf(one, rule) }, increment);
  },
});
