import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { LimitRule } from '../http/api.ts';
import type { Rows } from '../store/port.ts';
import type { Partner } from '../store/tables/webhooks.ts';

/**
 * Who uses a set of routes. The routes of operators and those that partners have for what is their own are the same, but for this.
 */
export interface Audience {
  /** True for partners: they cannot name an owner, and read only what they may see. */
  own: boolean;
  /** The owner whose rows the caller may see; undefined for an operator, who may see all. */
  ownerOf(request: FastifyRequest): Partner | undefined;
  /** The callers whose recorded calls the caller may see; undefined for an operator, who may see all. */
  callersOf(request: FastifyRequest, rows: Rows): Promise<readonly string[] | undefined>;
  /** The name of an operation: names are unique over all APIs. */
  operation(name: string): string;
  /** The operation that lists event types. */
  catalogue: string;
  testLimits: readonly LimitRule[];
}

export const operators: Audience = {
  own: false,
  ownerOf: () => undefined,
  callersOf: async () => undefined,
  operation: (name) => name,
  catalogue: 'GET /manage/v1/event-types',
  testLimits: [],
};

/** Filters or fields without those that only operators have. They are optional, so the type stays true of what is sent. */
export function fieldsFor<F extends z.ZodRawShape>({ own }: Audience, fields: F, ...ofOperators: (keyof F & string)[]): F {
  const kept = Object.entries(fields).filter(([name]) => !own || !ofOperators.includes(name));
  return Object.fromEntries(kept) as F;
}
