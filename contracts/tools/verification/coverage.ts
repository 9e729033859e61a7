import { nearestOf } from '../../../gateway/base/nearest.ts';
import { type Behaviour, behaviourNamed, behaviours } from '../../documents/behaviours.ts';
import type { HoldingTest } from '../../documents/held-by-tests.ts';
import type { ServiceName } from '../../documents/services.ts';
import { jsonSchema, type Schema } from '../../openapi/document.ts';
import { eventsOf, findOperation, nearestOperation, operationsOf, type ProviderOperation } from '../../openapi/operations.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { eventTypeOf, type HttpInteraction, type MessageInteraction, type PactFile, type PactInteraction } from './pact-file.ts';

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

/** A documented behaviour, and what holds it. */
export interface BehaviourCoverage extends Pick<Behaviour, 'id' | 'section' | 'says' | 'on'> {
  /** The interactions (`consumer: description`) whose references name it. */
  by: string[];
  /** The tests that hold it: file and name. */
  tests: string[];
}

/** An operation, status, event or behaviour of a pact that the provider does not have. */
export interface Unknown {
  by: string;
  /** Such as `GET /api/v1/stock`, the status of a known operation, an event type, or a behaviour. */
  what: string;
  /** The most similar known name. */
  nearest?: string;
}

export interface Coverage {
  provider: ServiceName;
  consumers: string[];
  operations: OperationCoverage[];
  events: Exercised[];
  behaviours: BehaviourCoverage[];
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

const hiderOf = (interaction: PactInteraction) => new Hider(secretsIn(interaction));

function unknownCall(provider: ServiceName, call: Call): Unknown {
  const { by, request } = call;
  const nearest = nearestOperation(provider, request.method, request.path);
  return {
    by,
    what: `${request.method} ${hiderOf(call).text(request.path)}`,
    ...(nearest && { nearest: `${nearest.method} ${nearest.path}` }),
  };
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

/** A reference of an interaction to a behaviour, and the operation or event that the interaction uses. */
interface Holding {
  by: string;
  id: string;
  of: string | undefined;
}

function coverBehaviours(
  provider: ServiceName,
  holdings: readonly Holding[],
  tests: readonly HoldingTest[],
): BehaviourCoverage[] {
  return behaviours[provider].map(({ id, section, says, on }) => ({
    id,
    section,
    says,
    on,
    by: holdings.filter((one) => one.id === id && on.includes(one.of ?? '')).map(({ by }) => by),
    tests: tests.filter(({ behaviour }) => behaviour === id).map(({ file, test }) => `${file}: ${test}`),
  }));
}

/** Returns the references that say nothing: to no behaviour of this provider, or from an interaction that does not show it. */
function idleHoldings(provider: ServiceName, { by, id, of }: Holding): Unknown[] {
  const behaviour = behaviourNamed(id);
  if (behaviour?.document !== provider) {
    const nearest = nearestOf(
      id,
      behaviours[provider].map((one) => one.id),
    );
    return [{ by, what: `behaviour ${id}`, ...(nearest && { nearest }) }];
  }
  return behaviour.on.includes(of ?? '')
    ? []
    : [{ by, what: `behaviour ${id} of ${of ?? 'an unknown call'}`, nearest: behaviour.on.join(', ') }];
}

/** Percentage of the documented behaviours that a pact or a test holds, rounded down; 0 to 100. */
export const heldPercent = ({ behaviours: all }: Pick<Coverage, 'behaviours'>): number =>
  Math.floor((all.filter(isHeld).length / all.length) * 100);

export const isHeld = ({ by, tests }: BehaviourCoverage): boolean => by.length + tests.length > 0;

export interface CoverageInput {
  provider: ServiceName;
  pacts: readonly PactFile[];
  /** Tests that hold behaviours. */
  tests?: readonly HoldingTest[];
}

/**
 * Lists the parts of the API that pacts use, those that no pact uses, and those that pacts expect but the API lacks, and what
 * holds each documented behaviour.
 */
export function coverPacts({ provider, pacts, tests = [] }: CoverageInput): Coverage {
  const all = pacts.flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({
      ...interaction,
      by: `${consumer}: ${hiderOf(interaction).text(interaction.description)}`,
    })),
  );
  const calls = all.filter((one): one is Call => one.kind === 'http');
  const messages = all.filter((one): one is Awaited => one.kind === 'message');
  const found = calls.map((call) => ({ call, operation: findOperation(provider, call.request.method, call.request.path) }));
  const types = Object.keys(eventsOf(provider));
  const holdings = [
    ...found.flatMap(({ call, operation }) => holdingsOf(call, operation && `${operation.method} ${operation.path}`)),
    ...messages.flatMap((one) => holdingsOf(one, eventTypeOf(one))),
  ];
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
    behaviours: coverBehaviours(provider, holdings, tests),
    unknown: [
      ...found.flatMap(({ call, operation }) => (operation ? unknownParts(operation, call) : [unknownCall(provider, call)])),
      ...messages.flatMap((message) => unknownEvent(types, message)),
      ...holdings.flatMap((holding) => idleHoldings(provider, holding)),
    ],
  };
}

/** A pending interaction may fail without notice, so it holds nothing. */
const holdingsOf = ({ by, holds, pending }: Call | Awaited, of: string | undefined): Holding[] =>
  pending ? [] : holds.map((id) => ({ by, id, of }));

const isSame = (one: ProviderOperation, other: ProviderOperation) => one.method === other.method && one.path === other.path;
