import type { RouteOptions } from 'fastify';
import { z } from 'zod';

const refusal = z
  .object({
    error: z.object({
      code: z.string().describe('A stable reason, such as `not_found` or `illegal_move`.'),
      message: z.string(),
      details: z
        .array(z.object({ field: z.string(), rule: z.string(), message: z.string() }))
        .describe('An illegal move has the legal ones under `legal_moves`.'),
      docs: z.string(),
    }),
  })
  .meta({ id: 'Refusal' });

export const refused = {
  description: 'Refused: the code says why, the message what to do.',
  content: { 'application/json': { schema: refusal } },
};

/** Every route refuses in the same shape; each document says so without each route saying it. */
export function documentRefusals({ schema, method }: RouteOptions): void {
  if (!schema) return;
  const { params, body } = schema;
  const changes = method !== 'GET' && method !== 'HEAD';
  const ofInput = [...(params ? [404] : []), ...(body || params ? [409] : []), ...(body ? [413, 415] : [])];
  const statuses = [400, 401, ...(changes ? [403] : []), ...ofInput, 429, 500, 503];
  schema.response = { ...Object.fromEntries(statuses.map((status) => [status, refused])), ...(schema.response as object) };
}
