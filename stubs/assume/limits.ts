import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../contracts/documents/services.ts';
import { openApi } from '../../contracts/openapi/operations.ts';
import type { Clock } from '../../gateway/base/clock.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import { type Count, maxOf } from '../../gateway/http/limit/limit.ts';
import type { Assumptions } from './assumptions.ts';

const minuteMs = 60_000;

/** The limit on reads that the reference does not have. It holds only under its alternative. */
const readsOf = (assumptions: Assumptions): LimitRule => ({
  name: 'reads',
  windowMs: minuteMs,
  max: 60,
  per: 'token',
  key: (request) => request.caller?.id ?? request.ip,
  holdsFor: () => assumptions.live?.isActive('cohesion.read-throttle=60-per-minute') ?? false,
});

/** The limits that alternatives put on single operations, by the names of the operations. */
export function assumedLimits(api: ServiceName, assumptions: Assumptions): Map<string, LimitRule> {
  if (api !== 'cohesion') return new Map();
  const reads = readsOf(assumptions);
  const operations = Object.values(openApi.cohesion.paths).flatMap(({ get }) => get?.operationId ?? []);
  return new Map(operations.map((operation) => [operation, reads]));
}

/** The rule for writes of cohesion, whose scope is a gap. */
const writes = 'financement-writes';
const scope = 'cohesion.write-throttle-scope';
const refusedUncounted = 'cohesion.check-order=refused-uncounted';

/** The key of the calls that are counted together, by the alternative. */
const keys: Readonly<Record<string, (request: FastifyRequest, rule: LimitRule) => string>> = {
  'per-user': ({ caller, ip }) => `user ${(caller as { user?: { id: number } } | null)?.user?.id ?? ip}`,
  'per-method': (request, rule) => `${rule.key(request)} ${request.method}`,
};

/** Counts writes of cohesion itself while alternatives are active. `reference` counts everything else. */
export class AssumedCounters {
  readonly #reference: Count;
  readonly #assumptions: Assumptions;
  readonly #clock: Clock;
  /** When the calls of a key were made. A window begins with the first of them, or slides. */
  readonly #calls = new Map<string, number[]>();
  readonly #counted = new WeakMap<FastifyRequest, { calls: number[]; at: number }>();

  constructor(reference: Count, assumptions: Assumptions, clock: Clock) {
    this.#reference = reference;
    this.#assumptions = assumptions;
    this.#clock = clock;
    assumptions.answered = (request, reply) => this.#answered(request, reply);
  }

  readonly count: Count = (request, rule, increment) => {
    const { live } = this.#assumptions;
    if (live === undefined || rule.name !== writes) return this.#reference(request, rule, increment);
    const chosen = live.alternativeOf(scope);
    const key = keys[chosen ?? '']?.(request, rule) ?? rule.key(request);
    return this.#countIn(key, chosen === 'sliding', request, rule);
  };

  reset(): void {
    this.#calls.clear();
  }

  #countIn(key: string, slides: boolean, request: FastifyRequest, rule: LimitRule): ReturnType<Count> {
    const limit = maxOf(rule, request);
    if (limit === null) return null;
    const now = this.#clock.now();
    const before = this.#calls.get(key) ?? [];
    const isOver = (before[0] ?? 0) <= now - rule.windowMs;
    const calls = slides ? before.filter((at) => at > now - rule.windowMs) : isOver ? [] : before;
    this.#calls.set(key, calls);
    const exceeded = calls.length >= limit;
    if (!exceeded) {
      calls.push(now);
      this.#counted.set(request, { calls, at: now });
    }
    const resetSeconds = Math.ceil(((calls[0] ?? now) + rule.windowMs - now) / 1000);
    return { state: { name: rule.name, limit, remaining: limit - calls.length, resetSeconds }, exceeded };
  }

  /** A write that validation refused is not counted under an alternative. */
  #answered(request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode !== 422) return;
    const counted = this.#counted.get(request);
    if (counted === undefined || !this.#assumptions.live?.isActive(refusedUncounted)) return;
    counted.calls.splice(counted.calls.lastIndexOf(counted.at), 1);
    reply.header('ratelimit-remaining', Number(reply.getHeader('ratelimit-remaining')) + 1);
  }
}
