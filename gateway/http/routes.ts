import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from './api.ts';

interface Described<P, Q, B, R> {
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  'x-gap'?: readonly string[];
  params?: P;
  querystring?: Q;
  body?: B;
  config?: FastifyContextConfig;
  bodyLimit?: number;
  /** The bodies of refusals that this route alone has, by status. */
  refusals?: Readonly<Record<number, object>>;
  handler(
    request: FastifyRequest<{ Params: z.output<P>; Querystring: z.output<Q>; Body: z.output<B> }>,
    reply: FastifyReply,
  ): Promise<z.input<NoInfer<R>>>;
}

/** What the handler returns: the body of a reply (`reply`), or its `data`, with status 200 (`data`) or 201 (`created`). */
type Replying<R> =
  | { reply: R; data?: never; created?: never }
  | { data: R; reply?: never; created?: never }
  | { created: R; reply?: never; data?: never };

/** Returns the function that adds a route with these tags. `path`: its method and path, such as `GET /stores/:id`. */
export const routesOf =
  (app: App, tags: readonly string[]) =>
  <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    path: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`,
    { reply: whole, data, created, config, bodyLimit, refusals, handler, ...schema }: Described<P, Q, B, R> & Replying<R>,
  ): void => {
    const [method = '', url = ''] = path.split(' ');
    const status = created ? 201 : 200;
    const one = created ?? data;
    const answer: typeof handler = async (request, reply) => ({ data: await handler(request, reply.code(status)) }) as never;
    app.route({
      method,
      url,
      ...(config && { config }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      schema: { tags, ...schema, response: { [status]: one ? z.object({ data: one }) : whole, ...refusals } },
      // Its types are those of the schema, which Fastify cannot infer from type parameters.
      handler: (one ? answer : handler) as never,
    });
  };
