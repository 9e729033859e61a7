import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { GapId } from '../../spec/gaps/gaps.ts';
import type { EventDefinition } from '../webhooks/outbox/event.ts';
import type { Api } from './api.ts';
import { type Document, shareComponents } from './openapi-components.ts';
import { gapsOfOperation } from './openapi-gaps.ts';
import { declareHeaders, requirementsOf } from './openapi-replies.ts';

/** What a route says of its operation. */
interface Documented {
  description?: string;
  operationId?: string;
  body?: unknown;
  'x-gap'?: GapId[];
}

interface Schemas {
  [name: string]: object;
}

/** Options that make the OpenAPI 3.1 document of one API from the schemas that validate and serialize its calls. */
export function openApiOptions(api: Api, prefix: string): FastifyDynamicSwaggerOptions {
  const configs = new Map<string, FastifyContextConfig>();
  const webhooks = Object.fromEntries(api.events.map((event) => [event.type, webhookOf(event, api.gaps?.events)]));
  return {
    openapi: {
      openapi: '3.1.0',
      info: { ...api.document, description: `${api.document.description}\n\n${aboutGaps}` },
      servers: [{ url: prefix }],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, ...api.securitySchemes },
      },
      security: ['bearer', ...Object.keys(api.securitySchemes ?? {})].map((name) => ({ [name]: [] })),
      ...(api.events.length > 0 ? { webhooks } : {}),
    } as FastifyDynamicSwaggerOptions['openapi'],
    transform: (input) => {
      const { schema, url } = describeSuccess(jsonSchemaTransform(input));
      nameDefaults(input.schema?.querystring, schema?.querystring);
      const { config = {}, method } = input.route;
      const { extensions, sentence } = requirementsOf(config);
      const { description, operationId, ...described } = schema as Documented;
      const gaps = gapsOfOperation(api.gaps, { method, config, body: described.body }, described['x-gap']);
      if (operationId !== undefined) configs.set(operationId, config);
      const sentences = [sentence, description].filter((one) => typeof one === 'string');
      return {
        url,
        schema: {
          ...schema,
          ...extensions,
          ...(gaps.length > 0 && { 'x-gap': gaps }),
          ...(sentences.length > 0 && { description: sentences.join(' ') }),
        },
      };
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input) as Document;
      const { paths, components } = document;
      const schemas = referencedSchemas(paths, components?.schemas);
      const whole: Document = { ...document, components: { ...components, schemas } };
      declareHeaders(whole, api, configs);
      nameOptionalBodies(whole);
      return shareComponents(whole) as ReturnType<typeof jsonSchemaTransformObject>;
    },
  };
}

/** Describes successful replies that have no description by the summary of their operation. */
function describeSuccess<R extends ReturnType<typeof jsonSchemaTransform>>(route: R): R {
  const { summary, response = {} } = (route.schema ?? {}) as { summary?: string; response?: Record<string, object> };
  for (const [status, schema] of Object.entries(response))
    if (status.startsWith('2') && !('description' in schema)) Object.assign(schema, { 'x-response-description': summary });
  return route;
}

/** Adds the defaults of a query that zod leaves out: those of text that becomes another value, such as a number. */
function nameDefaults(query: unknown, described: unknown): void {
  if (!(query instanceof z.ZodObject)) return;
  const { properties = {} } = described as { properties?: Record<string, { type?: string; default?: unknown }> };
  for (const [name, property] of Object.entries(properties)) {
    const absent = (query.shape[name] as z.ZodType).safeParse(undefined).data;
    if (property.type === 'integer' && absent !== undefined) property.default = absent;
  }
}

interface RequestBody {
  required: boolean;
  content: Record<string, { schema: { anyOf?: readonly { type?: string }[] } }>;
}

/** Marks the bodies that may be left out: Fastify validates null in place of none (`optionalBody`). */
function nameOptionalBodies({ paths = {} }: Document): void {
  for (const { requestBody } of Object.values(paths).flatMap(Object.values) as { requestBody?: RequestBody }[]) {
    const choices = requestBody?.content['application/json']?.schema.anyOf ?? [];
    if (requestBody && choices.some(({ type }) => type === 'null')) requestBody.required = false;
  }
}

/** Returns the named schemas this document refers to. zod's registry also holds those of the other APIs, and of input. */
function referencedSchemas(paths: object | undefined, all: Schemas = {}): Schemas {
  const found: Schemas = {};
  const waiting = [paths];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = all[name];
      if (schema === undefined || name in found) continue;
      found[name] = schema;
      waiting.push(schema);
    }
  }
  return found;
}

const aboutGaps =
  "`x-gap` marks a place where the API's document leaves something open and a choice was made: see [the gap register](/docs/gaps).";

const webhookHeaders = [
  ['X-SERVICE-Signature', "`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the endpoint's secret."],
  ['webhook-id', "The event's id. It stays the same in every retry."],
  ['webhook-timestamp', 'The time of this attempt, in seconds since 1970.'],
  [
    'webhook-signature',
    "Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the endpoint's secret.",
  ],
];

function webhookOf(event: EventDefinition, shared: readonly string[] = []) {
  const gaps = [...new Set([...event.gaps, ...shared])];
  const envelope = z.object({
    event: z.literal(event.type),
    delivered_at: z.string().meta({ format: 'date-time' }).describe('ISO 8601 with offset.'),
    data: event.data,
  });
  const { $schema: _, ...schema } = z.toJSONSchema(envelope, { target: 'draft-2020-12', io: 'output' });
  return {
    post: {
      operationId: `on ${event.type}`.replace(/[ .](\w)/g, (_match, letter: string) => letter.toUpperCase()),
      summary: event.summary,
      security: [],
      ...(gaps.length > 0 ? { 'x-gap': gaps } : {}),
      // New ones for each event, because equal parts of the document become references in place.
      parameters: webhookHeaders.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
        description,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema,
            example: { event: event.type, delivered_at: '2026-11-21T08:53:00+00:00', data: event.example },
          },
        },
      },
      responses: { '2XX': { description: 'Received. After any other status the delivery is retried.' } },
    },
  };
}
