import type { FastifyRequest } from 'fastify';
import type { Detail, Refusal, RefusalKind } from '../../errors.ts';

/** Section 7's statuses, and those of transport and limits. */
export const statusOfRefusal: Record<RefusalKind, number> = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 422,
  too_large: 413,
  media_type: 415,
  limited: 429,
  unavailable: 503,
  internal: 500,
};

/** Laravel's shape: a message, and where fields are to blame, the messages of each (gap cohesion.error-body). */
export function errorBody(refusal: Refusal, request: FastifyRequest): { message: string; errors?: Record<string, string[]> } {
  if (refusal.details.length === 0) return { message: refusal.message };
  const errors: Record<string, string[]> = {};
  for (const detail of refusal.details) {
    errors[detail.field] = [...(errors[detail.field] ?? []), worded(detail, request)];
  }
  return { message: refusal.message, errors };
}

function worded({ rule, message }: Detail, request: FastifyRequest): string {
  if (rule !== 'unknown_field') return message;
  const { body, querystring } = (request.routeOptions.schema ?? {}) as { body?: unknown; querystring?: unknown };
  const known = fieldsOf(request.method === 'GET' || request.method === 'HEAD' ? querystring : body);
  return `${message}, which takes ${known.join(', ') || 'none'}`;
}

function fieldsOf(schema: unknown): string[] {
  return typeof schema === 'object' && schema !== null && 'shape' in schema ? Object.keys(schema.shape as object) : [];
}
