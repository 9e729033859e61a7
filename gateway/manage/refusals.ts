import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Refusal } from '../base/errors.ts';
import { named } from '../http/fields.ts';

const refusal = named('Refusal', {
  error: z.object({
    code: z.string().describe('A stable error code, such as `not_found` or `illegal_move`.'),
    message: z.string(),
    details: z
      .array(z.object({ field: z.string(), rule: z.string(), message: z.string() }))
      .describe('The wrong fields, or the first 20 of them. For an illegal move, `legal_moves` lists the legal ones.'),
    docs: z.string().describe('Path on this server of the page that explains the codes.'),
  }),
});

export const errorBody = ({ code, message, details }: Refusal) => ({
  error: { code, message, details, docs: '/docs/guides/reference/refusals#management-and-profile' },
});

export const refused = {
  description: 'Refused. The code says why, the message says what to do.',
  content: { 'application/json': { schema: refusal } },
};

/** Adds the error responses to every route, so that no route has to declare them. */
export function documentRefusals({ schema, method }: RouteOptions): void {
  if (!schema) return;
  const { params, body } = schema;
  const changes = method !== 'GET' && method !== 'HEAD';
  const ofInput = [...(params ? [404] : []), ...(body || params ? [409] : [])];
  // A body that an operation does not take is parsed too.
  const statuses = [400, 401, ...(changes ? [403, 413, 415] : []), ...ofInput, 429, 500, 503];
  schema.response = { ...Object.fromEntries(statuses.map((status) => [status, refused])), ...(schema.response as object) };
}
