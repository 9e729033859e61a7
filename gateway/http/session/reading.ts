import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a change that callers who may only read can make too, such as signing out. */
    forViewers?: boolean;
  }
}

export const isReading = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD';

/** Returns true for a call that a caller who may only read must not make. */
export const isForbiddenToViewers = (request: FastifyRequest): boolean =>
  !isReading(request) && !request.routeOptions.config.forViewers;
