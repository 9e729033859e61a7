import type { FastifyRequest } from 'fastify';
import type { LimitRule } from '../../gateway/http/api.ts';
import { countedPer, type IsRule } from './limits.ts';
import type { Variants } from './types.ts';

/** The rule for writes, whose scope is a gap. */
const isWrites: IsRule = ({ name }) => name === 'financement-writes';

const userOf = ({ caller, ip }: FastifyRequest) => (caller as { user?: { id: number } } | null)?.user?.id ?? ip;

/** The limit on reads that the reference does not have. */
const reads: LimitRule = {
  name: 'reads',
  windowMs: 60_000,
  max: 60,
  per: 'token',
  key: ({ caller, ip }) => caller?.id ?? ip,
  // Open operations and unknown paths have no caller.
  holdsFor: ({ caller, method }) => caller !== null && (method === 'GET' || method === 'HEAD'),
};

export const cohesionLimitVariants: Variants = {
  'cohesion.read-throttle=60-per-minute': { limits: [reads] },
  'cohesion.write-throttle-scope=per-user': countedPer(isWrites, (request) => `user ${userOf(request)}`),
  'cohesion.write-throttle-scope=per-method': countedPer(isWrites, (request, rule) => `${rule.key(request)} ${request.method}`),
};
