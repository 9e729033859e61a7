/** A member of a query or a body. */
interface Field {
  type: string | string[];
  description?: string;
  enum?: readonly string[];
}

interface ControlOperation {
  summary: string;
  query?: Record<string, Field>;
  /** Members of the JSON body. Those in `required` must be there. Default of `type`: object. */
  body?: {
    type?: string[];
    description?: string;
    properties: Record<string, Field>;
    required?: string[];
    additionalProperties?: Field;
    /** A refusal of another body shows it. */
    example?: object;
  };
  status?: number;
}

const text = (description: string): Field => ({ type: 'string', description });
const flag = (description: string): Field => ({ type: 'boolean', description });

const secret = text('A signing secret, `whsec_` and the base64 of 24 to 64 bytes.');
const owner = (description: string) => text(`\`account:ID\` (pos) or \`user:ID\` (cohesion): ${description}`);
const on = {
  type: ['string', 'integer'],
  description: 'The record to change: an id, a year or a reference. Default: one that allows it.',
};

const alternatives = {
  type: ['object', 'string'],
  description: 'By gap, or a text such as "pos.sale-status=200,harmless.gzip".',
  properties: {},
  additionalProperties: text('The id of an alternative. Its name is the id of a gap. `/_stub/gaps` lists both.'),
};

const callFilter = {
  operation: text('An operationId.'),
  method: text('Such as POST.'),
  path: text('The path of the request.'),
  status: text('A status such as 404, or a class such as 4xx.'),
  id: text('The id of a call: only this one.'),
};

/** Every route of `/_stub`. */
export const controlOperations: Readonly<Record<string, ControlOperation>> = {
  'GET /_stub': {
    summary:
      'Address, credentials, endpoints with secrets, faults, active alternatives, rules of mobile money, clock, number of calls, the signing secret',
  },
  'GET /_stub/openapi.json': { summary: 'This document' },
  'GET /_stub/state': { summary: 'The data as a seed, with which another stub can start' },
  'POST /_stub/reset': { summary: 'Back to the start: data, endpoints, clock, limits, faults, calls' },
  'POST /_stub/clock/advance': {
    summary: 'Advance the clock and run what falls due',
    body: {
      properties: { by: { type: ['string', 'number'], description: 'Such as 27h, or milliseconds.' } },
      required: ['by'],
      example: { by: '27h' },
    },
  },
  'POST /_stub/trigger': {
    summary: 'Cause one event, or several; with `data`, send an example',
    body: {
      example: { event: 'sale.completed' },
      properties: {
        event: text('The type of one event. Without it, `events` is required.'),
        on,
        data: { type: 'object', description: "Merged into the catalogue's example. Then nothing changes." },
        events: { type: 'array', description: 'Up to 100 of {event, on, data}, in this order.' },
        reorder: flag('Delivers several events in reverse order.'),
        validate: flag('False sends unknown events and data that does not match.'),
        duplicates: { type: 'integer', description: 'Delivers again so many times, with the same webhook-id. 0 to 100.' },
        to: text('A URL that gets these events too, and no later one.'),
        secret,
        owner: owner('whose endpoint is at `to`. Events that it may not see are skipped. Default: any endpoint there.'),
      },
    },
  },
  'GET /_stub/endpoints': { summary: 'Endpoints with their secrets and owners' },
  'POST /_stub/endpoints': {
    summary: 'Register an endpoint; the reply has its secret',
    body: {
      properties: {
        url: text('The URL.'),
        events: { type: ['array', 'null'], description: 'Event types. Default: all.' },
        secret,
        owner: owner('it receives only the events of its owner. Default: the operator, who may see all.'),
      },
      required: ['url'],
      example: { url: 'http://127.0.0.1:3000/hook' },
    },
    status: 201,
  },
  'DELETE /_stub/endpoints/{id}': { summary: 'Remove an endpoint; its pending deliveries are skipped' },
  'GET /_stub/deliveries': {
    summary: 'Deliveries with their attempts, oldest first',
    query: {
      event_type: text('An event type.'),
      endpoint_id: text('An id.'),
      event_id: text('An id.'),
      status: { type: 'string', enum: ['pending', 'delivered', 'failed', 'skipped'] },
      limit: { type: 'integer', description: 'The newest of them, this many.' },
    },
  },
  'POST /_stub/deliveries/{id}/resend': { summary: 'One more attempt: the same bytes and webhook-id' },
  'GET /_stub/payments': {
    summary: 'Mobile-money payments, oldest first, with the end of those that are pending',
    query: {
      status: { type: 'string', enum: ['pending', 'received', 'refused', 'timed_out'] },
      reference: text("A sale's reference."),
    },
  },
  'POST /_stub/payments/{id}/settle': {
    summary: 'End a pending payment now',
    body: {
      example: { as: 'refused' },
      properties: { as: { type: 'string', enum: ['received', 'refused', 'timed_out'], description: 'Default: received.' } },
    },
  },
  'GET /_stub/calls': {
    summary: 'Calls received, oldest first',
    query: {
      ...callFilter,
      after: text('The id of a call: only later ones.'),
      limit: { type: 'integer', description: 'The newest of them, this many.' },
      brief: { type: 'string', enum: ['true', 'false'], description: 'Without headers and bodies.' },
    },
  },
  'GET /_stub/calls/curl': { summary: 'The calls as curl lines, without secrets', query: callFilter },
  'GET /_stub/calls/har': { summary: 'The calls as HTTP Archive 1.2, without secrets', query: callFilter },
  'DELETE /_stub/calls': { summary: 'Forget the calls received' },
  'GET /_stub/examples': {
    summary: 'The replies that `example=NAME` gives, with their causes',
    query: { operation: text('An operationId.') },
  },
  'GET /_stub/gaps': {
    summary:
      'The entries of the gap register of this API, and the harmless changes, with their alternatives and whether a stub plays them',
  },
  'GET /_stub/assume': { summary: 'The active alternatives of the gap register' },
  'POST /_stub/assume': {
    summary:
      'Make alternatives active too: {"pos.sale-status": "200"}, {"harmless.gzip": "on"}, {"harmless": "all"}. A gap that has another one gets the new one',
    body: alternatives,
  },
  'PUT /_stub/assume': { summary: 'Make exactly these alternatives active; {} for none', body: alternatives },
  'DELETE /_stub/assume': { summary: 'End all alternatives' },
  'DELETE /_stub/assume/{gap}': { summary: 'End the alternative of one gap' },
  'GET /_stub/faults': { summary: 'The fault rules, with how often each was applied' },
  'POST /_stub/faults': {
    summary: 'Add a fault rule',
    body: {
      properties: { rule: { type: ['string', 'object'], description: 'Such as createSale:status=503,times=2, or an object.' } },
      required: ['rule'],
      example: { rule: '*:status=503,times=2' },
    },
    status: 201,
  },
  'DELETE /_stub/faults': { summary: 'Remove all fault rules' },
  'DELETE /_stub/faults/{id}': { summary: 'Remove one fault rule' },
};

/** Returns the OpenAPI document of `/_stub`. */
export function controlDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [route, operation] of Object.entries(controlOperations)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(route, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of a stub',
      version: '1',
      description:
        'Controls a running stub. Programs on its machine and its own page need no token; other pages and other machines need the operator token.',
    },
    servers: [{ url: '/' }],
    security: [{}, { operator: [] }],
    paths,
    components: { securitySchemes: { operator: { type: 'http', scheme: 'bearer' } } },
  };
}

function operationObject(route: string, { summary, query = {}, body, status = 200 }: ControlOperation): object {
  const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, { description, ...schema }]) => ({ in: 'query', name, description, schema }));
  return {
    operationId: `stub${route.replaceAll(/[^A-Za-z]+(\w)?/g, (_, first = '') => first.toUpperCase())}`,
    summary,
    tags: ['Control'],
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', ...body } } } } }),
    responses: {
      [status]: { description: 'Done. Replies are {"data": ...}.' },
      default: { description: '{"error": {"code", "message", "details"}}. `details`: the wrong fields, each with its message.' },
    },
  };
}
