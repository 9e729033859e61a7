import { isRecord, type Json } from '../../json.ts';
import type { AnySchema } from './alternatives.ts';
import { CannotJudge, canonical } from './rules.ts';

/** A parameter of a call, or a header of a reply or event. */
export interface Value {
  name: string;
  in: string;
  required: boolean;
  schema: AnySchema;
  /** How lists and objects are written, with the default of its place. */
  serialization: string;
}

/** Schemas by content type, without parameters such as `charset`. */
export type Bodies = ReadonlyMap<string, AnySchema>;

export interface Reply {
  headers: readonly Value[];
  bodies: Bodies;
}

/** One entry of `x-throttle`: so many calls are allowed. */
export interface Throttle {
  /** Identifies the entry; the same in both documents. */
  name: string;
  calls: number;
  seconds: number;
  /** What is counted together, such as an account. */
  per: unknown;
}

export interface Operation {
  operationId: unknown;
  isDeprecated: boolean;
  /** The operation's own addresses; undefined if it uses those of the document. */
  servers: readonly string[] | undefined;
  security: readonly Record<string, readonly string[]>[];
  abilities: readonly string[];
  /** Undefined if the document says nothing about the operation's throttles. */
  throttles: readonly Throttle[] | undefined;
  /** In the order of the path. */
  pathParameters: readonly Value[];
  parameters: ReadonlyMap<string, Value>;
  body: { required: boolean; bodies: Bodies } | undefined;
  /** By status in capitals: `200`, `2XX` or `DEFAULT`. */
  replies: ReadonlyMap<string, Reply>;
}

/** What a comparison reads of an OpenAPI document, in one form for all styles. */
export interface Prepared {
  servers: readonly string[];
  schemes: ReadonlyMap<string, unknown>;
  /** By method and path without the names of its parameters. */
  operations: ReadonlyMap<string, { shown: string; operation: Operation }>;
  /** By name: webhooks, and callbacks of operations. */
  events: ReadonlyMap<string, Operation>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

function fieldsOf(value: unknown, place: string): Json {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw new CannotJudge(`${place} must be an object.`);
}

function listOf(value: unknown, place: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new CannotJudge(`${place} must be a list.`);
}

function schemaOf(value: unknown, place: string): AnySchema {
  if (value === undefined) return {};
  if (typeof value === 'boolean' || isRecord(value)) return value as AnySchema;
  throw new CannotJudge(`${place} must be a schema.`);
}

/** Reads a document whose references are replaced. Throws `CannotJudge` if its structure is wrong. */
export function prepare(document: unknown): Prepared {
  const root = fieldsOf(document, 'The document');
  const operations = new Map<string, { shown: string; operation: Operation }>();
  const events = new Map<string, Operation>();
  for (const { path, method, item, operation } of operationsIn(root.paths, 'paths')) {
    const shown = `${method.toUpperCase()} ${path}`;
    const read = readOperation(root, item, operation, { place: shown, path });
    operations.set(pathKey(shown), { shown, operation: read });
    for (const [name, callback] of Object.entries(fieldsOf(operation.callbacks, `${shown}, callbacks`)))
      readEvents(root, callback, `callback ${name}`, () => `callback ${name} of ${pathKey(shown)}`, events);
  }
  readEvents(root, root.webhooks, 'webhooks', (name) => `event ${name}`, events);
  const schemes = fieldsOf(fieldsOf(root.components, 'components').securitySchemes, 'components.securitySchemes');
  return { servers: serversOf(root.servers) ?? [], schemes: new Map(Object.entries(schemes)), operations, events };
}

/** Consumers never see the names of path parameters. */
export const pathKey = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '{}');

function readEvents(
  root: Json,
  items: unknown,
  place: string,
  nameOf: (name: string) => string,
  events: Map<string, Operation>,
): void {
  for (const { path, method, item, operation } of operationsIn(items, place)) {
    const name = nameOf(path);
    events.set(
      method === 'post' ? name : `${name}, ${method.toUpperCase()}`,
      readOperation(root, item, operation, { place: name, path }),
    );
  }
}

function* operationsIn(paths: unknown, place: string) {
  for (const [path, written] of Object.entries(fieldsOf(paths, place))) {
    if (path.startsWith('x-')) continue;
    const given = fieldsOf(written, path);
    // What stands beside the reference of a path.
    const item: Json = Object.assign({}, ...listOf(given.allOf, path), given);
    for (const method of methods) {
      if (item[method] === undefined) continue;
      yield { path, method, item, operation: fieldsOf(item[method], `${method.toUpperCase()} ${path}`) };
    }
  }
}

function readOperation(root: Json, item: Json, operation: Json, { place, path }: { place: string; path: string }): Operation {
  const values = [item.parameters, operation.parameters].flatMap((list) =>
    listOf(list, `${place}, parameters`).map((one) => readValue(one, place)),
  );
  // The operation's own parameters replace those of the path.
  const parameters = new Map(values.filter(isMeant).map((value) => [keyOf(value), value]));
  const pathNames = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `path ${name}`);
  const body = operation.requestBody === undefined ? undefined : fieldsOf(operation.requestBody, `${place}, body`);
  const replies = Object.entries(fieldsOf(operation.responses, `${place}, responses`)).filter(
    ([status]) => !status.startsWith('x-'),
  );
  return {
    operationId: operation.operationId,
    isDeprecated: operation.deprecated === true,
    servers: serversOf(operation.servers ?? item.servers),
    security: listOf(operation.security ?? root.security, `${place}, security`) as Operation['security'],
    abilities: abilitiesOf(operation),
    throttles: throttlesOf(operation, place),
    pathParameters: pathNames.map((key) => parameters.get(key)).filter((one) => one !== undefined),
    parameters: new Map([...parameters].filter(([, one]) => one.in !== 'path')),
    body: body && { required: body.required === true, bodies: bodiesOf(body.content, `${place}, body`) },
    replies: new Map(replies.map(([status, reply]) => [status.toUpperCase(), readReply(reply, `${place}, reply ${status}`)])),
  };
}

/** Headers that a document describes as content types and security. As parameters or headers they are ignored (OpenAPI, "Parameter Object"). */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);
const isMeant = ({ in: where, name }: Value) => !(where === 'header' && describedElsewhere.has(name.toLowerCase()));

const keyOf = ({ in: where, name }: Value) => `${where} ${where === 'header' ? name.toLowerCase() : name}`;

const styles: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

function readValue(value: unknown, place: string): Value {
  const given = fieldsOf(value, `${place}, parameter`);
  const { name, in: where } = given;
  if (typeof name !== 'string' || typeof where !== 'string') throw new CannotJudge(`${place}: a parameter has no name or place.`);
  const [[type, only] = [], ...others] = [...bodiesOf(given.content, `${place}, ${name}`)];
  if (others.length > 0) throw new CannotJudge(`${place}, ${name}: a parameter has one content type.`);
  const style = String(given.style ?? styles[where]);
  const explode = given.explode ?? style === 'form';
  return {
    name,
    in: where,
    required: given.required === true,
    schema: only ?? schemaOf(given.schema, `${place}, ${name}`),
    serialization: type ?? `style ${style}, explode ${explode}`,
  };
}

function bodiesOf(content: unknown, place: string): Bodies {
  const types = Object.entries(fieldsOf(content, place));
  return new Map(
    types.map(([type, media]) => [
      type.split(';')[0]?.trim().toLowerCase() ?? '',
      schemaOf(fieldsOf(media, `${place}, ${type}`).schema, `${place}, ${type}`),
    ]),
  );
}

function readReply(reply: unknown, place: string): Reply {
  const { headers, content } = fieldsOf(reply, place);
  const named = Object.entries(fieldsOf(headers, `${place}, headers`)).filter(
    ([name]) => !describedElsewhere.has(name.toLowerCase()),
  );
  return {
    headers: named.map(([name, header]) => readValue({ ...fieldsOf(header, `${place}, ${name}`), name, in: 'header' }, place)),
    bodies: bodiesOf(content, place),
  };
}

/** Returns the addresses, with the values of their variables. Addresses that differ in a last slash are the same. */
function serversOf(servers: unknown): string[] | undefined {
  if (servers === undefined) return undefined;
  return listOf(servers, 'servers').flatMap((server) => {
    const { url, variables } = fieldsOf(server, 'servers');
    const filled = Object.entries(fieldsOf(variables, 'servers')).reduce(
      (urls, [name, variable]) => {
        const { enum: values, default: only } = fieldsOf(variable, 'servers');
        const filling = Array.isArray(values) && values.length > 0 ? values : [only];
        return urls.flatMap((one) => filling.map((value) => one.replaceAll(`{${name}}`, String(value)))).slice(0, 100);
      },
      [String(url)],
    );
    return filled.map((one) => one.replace(/(?<=.)\/+$/, ''));
  });
}

/** Returns the abilities of `x-ability`; without it, those that the description names: Needs the ability `read:stats`. */
function abilitiesOf({ 'x-ability': stated, description }: Json): string[] {
  if (stated !== undefined) return [stated].flat().map(String);
  const [sentence] = /\bNeeds [^.]*`[^.]*/.exec(String(description ?? '')) ?? [''];
  return [...sentence.matchAll(/`([a-z_-]+:[a-z_-]+)`/g)].map(([, ability = '']) => ability);
}

function throttlesOf({ 'x-throttle': stated }: Json, place: string): Throttle[] | undefined {
  if (stated === undefined) return undefined;
  return [stated].flat().map((one) => {
    const { calls, seconds, per, ...name } = fieldsOf(one, `${place}, x-throttle`);
    if (typeof calls !== 'number' || typeof seconds !== 'number')
      throw new CannotJudge(`${place}, x-throttle: each entry has the numbers calls and seconds.`);
    return { name: canonical(name), calls, seconds, per };
  });
}
