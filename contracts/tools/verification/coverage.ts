import type { ServiceName } from '../../documents/services.ts';
import { jsonSchema, type Schema } from '../../openapi/document.ts';
import { eventsOf, findOperation, nearestOperation, operationsOf, type ProviderOperation } from '../../openapi/operations.ts';
import { eventTypeOf, type HttpInteraction, type MessageInteraction, type PactFile } from './pact-file.ts';

/** One item of the API, and the interactions that use it (`consumer: description`). */
export interface Exercised {
  name: string;
  by: string[];
}

export interface OperationCoverage {
  method: string;
  path: string;
  by: string[];
  statuses: Exercised[];
  query: Exercised[];
  /** Fields of the request body, such as `items[].price`. */
  body: Exercised[];
}

/** An operation, status or event of a pact that the provider does not have. */
export interface Unknown {
  by: string;
  /** Such as `GET /api/v1/stock`, the status of a known operation, or an event type. */
  what: string;
  /** The most similar known name. */
  nearest?: string;
}

export interface Coverage {
  provider: ServiceName;
  consumers: string[];
  operations: OperationCoverage[];
  events: Exercised[];
  unknown: Unknown[];
}

type Call = HttpInteraction & { by: string };
type Awaited = MessageInteraction & { by: string };

/** Returns the names of all fields of a schema, such as `items` and `items[].price`. */
function fieldsOf(schema: Schema | undefined, before = ''): string[] {
  const inItems = schema?.items === undefined ? [] : fieldsOf(schema.items, `${before}[]`);
  const inOptions = (schema?.anyOf ?? []).flatMap((option) => fieldsOf(option, before));
  const own = Object.entries(schema?.properties ?? {}).flatMap(([name, child]) => {
    const full = before === '' ? name : `${before}.${name}`;
    return [full, ...fieldsOf(child, full)];
  });
  return [...new Set([...own, ...inItems, ...inOptions])];
}

/** Returns the names of all fields of a body, in the form of `fieldsOf`. */
function fieldsIn(body: unknown, before = ''): string[] {
  if (Array.isArray(body)) return [...new Set(body.flatMap((element) => fieldsIn(element, `${before}[]`)))];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, child]) => {
    const full = before === '' ? name : `${before}.${name}`;
    return [full, ...fieldsIn(child, full)];
  });
}

function exercised(names: readonly string[], calls: readonly Call[], usedBy: (call: Call) => readonly string[]): Exercised[] {
  return names.map((name) => ({ name, by: calls.filter((call) => usedBy(call).includes(name)).map(({ by }) => by) }));
}

function coverOperation({ method, path, operation }: ProviderOperation, calls: readonly Call[]): OperationCoverage {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const body = fieldsOf(jsonSchema(operation.requestBody));
  return {
    method,
    path,
    by: calls.map(({ by }) => by),
    statuses: exercised(Object.keys(operation.responses), calls, ({ reply }) => [String(reply.status)]),
    query: exercised(query, calls, ({ request }) => Object.keys(request.query)),
    body: exercised(body, calls, ({ request }) => fieldsIn(request.body)),
  };
}

function unknownCall(provider: ServiceName, { by, request }: Call): Unknown {
  const nearest = nearestOperation(provider, request.method, request.path);
  return { by, what: `${request.method} ${request.path}`, ...(nearest && { nearest: `${nearest.method} ${nearest.path}` }) };
}

/** Returns the parts of a call that its operation does not have. */
function unknownParts({ method, path, operation }: ProviderOperation, { by, request, reply }: Call): Unknown[] {
  const about = `${method} ${path}`;
  const query = new Set((operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name));
  const fields = new Set(fieldsOf(jsonSchema(operation.requestBody)));
  const status = String(reply.status) in operation.responses ? [] : [`status ${reply.status}`];
  const names = Object.keys(request.query).filter((name) => !query.has(name));
  const sent = fieldsIn(request.body).filter((name) => !fields.has(name));
  const parts = [...status, ...names.map((name) => `query parameter ${name}`), ...sent.map((name) => `body field ${name}`)];
  return parts.map((part) => ({ by, what: `${about}: ${part}` }));
}

function unknownEvent(types: readonly string[], message: Awaited): Unknown[] {
  const type = eventTypeOf(message);
  if (type !== undefined && types.includes(type)) return [];
  return [
    { by: message.by, what: type === undefined ? 'a message that names no event' : `event ${type}`, nearest: types.join(', ') },
  ];
}

/** Lists the parts of the API that pacts use, those that no pact uses, and those that pacts expect but the API lacks. */
export function coverPacts({ provider, pacts }: { provider: ServiceName; pacts: readonly PactFile[] }): Coverage {
  const all = pacts.flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({ ...interaction, by: `${consumer}: ${interaction.description}` })),
  );
  const calls = all.filter((one): one is Call => one.kind === 'http');
  const messages = all.filter((one): one is Awaited => one.kind === 'message');
  const found = calls.map((call) => ({ call, operation: findOperation(provider, call.request.method, call.request.path) }));
  const types = Object.keys(eventsOf(provider));
  return {
    provider,
    consumers: [...new Set(pacts.map(({ consumer }) => consumer))],
    operations: operationsOf(provider).map((operation) =>
      coverOperation(
        operation,
        found.filter((one) => one.operation && isSame(one.operation, operation)).map(({ call }) => call),
      ),
    ),
    events: types.map((name) => ({ name, by: messages.filter((one) => eventTypeOf(one) === name).map(({ by }) => by) })),
    unknown: [
      ...found.flatMap(({ call, operation }) => (operation ? unknownParts(operation, call) : [unknownCall(provider, call)])),
      ...messages.flatMap((message) => unknownEvent(types, message)),
    ],
  };
}

const isSame = (one: ProviderOperation, other: ProviderOperation) => one.method === other.method && one.path === other.path;
