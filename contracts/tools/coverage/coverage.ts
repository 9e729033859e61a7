import type { Behaviour } from '../../../spec/documents/behaviours.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonSchema, type Schema } from '../../../spec/openapi/document.ts';
import { eventsOf, nearestOperation, operationsOf, type ProviderOperation } from '../../../spec/openapi/operations.ts';

/** One item of the API, and what uses it: interactions (`consumer: description`), or calls by their status (`POST /api/v1/sales 201`). */
export interface Exercised {
  name: string;
  by: string[];
}

export interface OperationCoverage {
  method: string;
  path: string;
  by: string[];
  /** Interactions, or calls. */
  times: number;
  statuses: Exercised[];
  query: Exercised[];
  /** Fields of the request body, such as `items[].price`. */
  body: Exercised[];
}

/** A documented behaviour, and what holds it. */
export interface BehaviourCoverage extends Pick<Behaviour, 'id' | 'section' | 'says' | 'on'> {
  /** The interactions (`consumer: description`) whose references name it, or the calls and events that show it. */
  by: string[];
  /** The tests that hold it: file and name. */
  tests: string[];
}

/** An operation, status, event or behaviour that the provider does not have. */
export interface Unknown {
  by: string;
  /** Such as `GET /api/v1/stock`, the status of a known operation, an event type, or a behaviour. */
  what: string;
  /** The most similar known name. */
  nearest?: string;
}

/** An open question of the documents, and the operations and webhooks that another answer would have changed. */
export interface QuestionCoverage extends Exercised {
  question: string;
}

/** A token that a suite used. */
export interface TokenUse {
  name: string;
  abilities: string[];
  /** The abilities that its calls needed. */
  needs: string[];
}

export interface Coverage {
  provider: ServiceName;
  /** The consumers of the pacts, or the command that ran the suite. */
  consumers: string[];
  operations: OperationCoverage[];
  events: Exercised[];
  behaviours: BehaviourCoverage[];
  unknown: Unknown[];
  /** Of a suite. */
  questions?: QuestionCoverage[];
  /** Of a suite. */
  tokens?: TokenUse[];
  /** Only for a suite: says that it did not call the stub. */
  notes?: string[];
  /** Only for a suite that failed: how it ended. */
  failed?: string;
}

export interface Use {
  by: string;
  times: number;
  method: string;
  /** Without secrets. */
  path: string;
  operation: ProviderOperation | undefined;
  status: string;
  query: readonly string[];
  /** In the form of `fieldsIn`. */
  body: readonly string[];
}

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
export function fieldsIn(body: unknown, before = ''): string[] {
  if (Array.isArray(body)) return [...new Set(body.flatMap((element) => fieldsIn(element, `${before}[]`)))];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, child]) => {
    const full = before === '' ? name : `${before}.${name}`;
    return [full, ...fieldsIn(child, full)];
  });
}

/** The parameters and fields that an operation takes. */
export const takenBy = ({ operation }: ProviderOperation) => ({
  query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
  body: fieldsOf(jsonSchema(operation.requestBody)),
});

const exercised = (names: readonly string[], uses: readonly Use[], usedBy: (use: Use) => readonly string[]): Exercised[] =>
  names.map((name) => ({ name, by: uses.filter((use) => usedBy(use).includes(name)).map(({ by }) => by) }));

function coverOperation(operation: ProviderOperation, uses: readonly Use[]): OperationCoverage {
  const { method, path } = operation;
  const { query, body } = takenBy(operation);
  return {
    method,
    path,
    by: uses.map(({ by }) => by),
    times: uses.reduce((sum, { times }) => sum + times, 0),
    statuses: exercised(Object.keys(operation.operation.responses), uses, ({ status }) => [status]),
    query: exercised(query, uses, (use) => use.query),
    body: exercised(body, uses, (use) => use.body),
  };
}

/** Returns the parts of a call that its operation does not have, or that there is no such operation. */
function unknownIn(provider: ServiceName, { by, method, path, operation, status, query, body }: Use): Unknown[] {
  if (operation === undefined) {
    const nearest = nearestOperation(provider, method, path);
    return [{ by, what: `${method} ${path}`, ...(nearest && { nearest: nearest.path && nameOf(nearest) }) }];
  }
  const taken = takenBy(operation);
  const parts = [
    ...(status in operation.operation.responses ? [] : [`status ${status}`]),
    ...query.filter((name) => !taken.query.includes(name)).map((name) => `query parameter ${name}`),
    ...body.filter((name) => !taken.body.includes(name)).map((name) => `body field ${name}`),
  ];
  return parts.map((part) => ({ by, what: `${nameOf(operation)}: ${part}` }));
}

/** Such as `POST /api/v1/sales`. */
export const nameOf = ({ method, path }: Pick<ProviderOperation, 'method' | 'path'>): string => `${method} ${path}`;

/** Lists the parts of the API that are used, those that are not, and those that the API lacks. `events`: by their type. */
export function coverUses(provider: ServiceName, uses: readonly Use[], events: readonly { by: string; type: string }[]) {
  const of = (one: ProviderOperation) => uses.filter(({ operation }) => operation && nameOf(operation) === nameOf(one));
  return {
    operations: operationsOf(provider).map((operation) => coverOperation(operation, of(operation))),
    events: Object.keys(eventsOf(provider)).map((name) => ({
      name,
      by: events.filter(({ type }) => type === name).map(({ by }) => by),
    })),
    unknown: uses.flatMap((use) => unknownIn(provider, use)),
  };
}
