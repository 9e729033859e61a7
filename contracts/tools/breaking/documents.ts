import type { Content, OpenApi, Operation, Parameter, PathItem } from '../../openapi/document.ts';
import { CannotJudge, type Change, change, type Direction } from './rules.ts';
import { compareSchemas } from './schemas.ts';

/** An operation in the released and in the current document. */
interface Pair {
  before: Operation;
  after: Operation;
  place: string;
}

function compareContent(before: Content | undefined, after: Content | undefined, direction: Direction, place: string): Change[] {
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema: from = {} }]) => {
    const to = after?.content?.[type];
    if (to === undefined) return [change('content-type-removed', place, type)];
    return compareSchemas(from, to.schema ?? {}, direction, `${place}, $`);
  });
}

/** Replaces names of path parameters by their position, because consumers never see the names. */
const isNamed = ({ in: where }: Parameter) => where !== 'path';
const keyOf = ({ in: where, name }: Parameter) => `${where} ${where === 'header' ? name.toLowerCase() : name}`;

function namedParameters({ parameters = [] }: Operation): Map<string, Parameter> {
  return new Map(parameters.filter(isNamed).map((parameter) => [keyOf(parameter), parameter]));
}

function comparePathParameters({ before, after, place }: Pair): Change[] {
  const of = ({ parameters = [] }: Operation) => parameters.filter((one) => !isNamed(one));
  const now = of(after);
  return of(before).flatMap(({ schema = {}, name }, at) =>
    compareSchemas(schema, now[at]?.schema ?? {}, 'sent', `${place}, path ${name}`),
  );
}

function compareParameters(pair: Pair): Change[] {
  const [old, now] = [namedParameters(pair.before), namedParameters(pair.after)];
  const kept = [...old].flatMap(([key, { schema = {}, required }]) => {
    const to = now.get(key);
    const at = `${pair.place}, ${key}`;
    if (to === undefined) return [change('parameter-removed', at, schema)];
    const becameRequired =
      to.required === true && required !== true ? [change('parameter-required', at, 'optional', 'required')] : [];
    return [...becameRequired, ...compareSchemas(schema, to.schema ?? {}, 'sent', at)];
  });
  const added = [...now].filter(([key, { required }]) => required === true && !old.has(key));
  return [
    ...comparePathParameters(pair),
    ...kept,
    ...added.map(([key]) => change('parameter-required', `${pair.place}, ${key}`, undefined, 'required')),
  ];
}

function compareSentBody({ before, after, place }: Pair): Change[] {
  const [from, to] = [before.requestBody, after.requestBody];
  const at = `${place}, body`;
  if (from !== undefined && to === undefined) return [change('body-removed', at)];
  const required = to?.required === true && from?.required !== true;
  const was = from === undefined ? undefined : 'optional';
  return [...(required ? [change('body-required', at, was, 'required')] : []), ...compareContent(from, to, 'sent', at)];
}

type Headers = Record<string, { required?: boolean | undefined; schema?: Parameter['schema'] }>;

function compareReceivedHeaders(before: Headers, after: Headers, place: string): Change[] {
  const lowered = new Map(Object.entries(after).map(([name, header]) => [name.toLowerCase(), header]));
  return Object.entries(before).flatMap(([name, { required, schema = {} }]) => {
    const to = lowered.get(name.toLowerCase());
    const at = `${place}, header ${name}`;
    if (to === undefined) return [change('header-removed', at, schema)];
    const optional = required === true && to.required !== true ? [change('header-optional', at, 'required', 'optional')] : [];
    return [...optional, ...compareSchemas(schema, to.schema ?? {}, 'received', at)];
  });
}

function compareReplies({ before, after, place }: Pair): Change[] {
  return Object.entries(before.responses).flatMap(([status, reply]) => {
    const to = after.responses[status];
    const at = `${place}, reply ${status}`;
    if (to === undefined) return [change('status-removed', at, status, Object.keys(after.responses))];
    return [...compareReceivedHeaders(reply.headers ?? {}, to.headers ?? {}, at), ...compareContent(reply, to, 'received', at)];
  });
}

type Security = NonNullable<OpenApi['security']>;

/** Returns true if an authorization that satisfies one alternative also satisfies the other. */
const suffices = (had: Record<string, string[]>, asked: Record<string, string[]>) =>
  Object.entries(asked).every(([scheme, scopes]) => scopes.every((scope) => had[scheme]?.includes(scope)) && scheme in had);

function compareSecurity(before: Security, after: Security, place: string): Change[] {
  const open: Security = [{}];
  const now = after.length === 0 ? open : after;
  const lost = (before.length === 0 ? open : before).filter((had) => !now.some((asked) => suffices(had, asked)));
  return lost.length === 0 ? [] : [change('security-tightened', place, before, after)];
}

/** Returns the abilities that a description names: Needs the ability `read:stats`. */
const abilitiesOf = ({ description }: Operation & { description?: string }) =>
  [...(description ?? '').matchAll(/`((?:read|write):[a-z_]+)`/g)].map(([, ability = '']) => ability);

function compareAbilities({ before, after, place }: Pair): Change[] {
  const old = abilitiesOf(before);
  const added = abilitiesOf(after).filter((ability) => !old.includes(ability));
  return added.map((ability) => change('ability-required', place, old, ability));
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

/** Throws for references and path-level items, which the comparison does not follow. */
function assertWhole(document: OpenApi): void {
  if (JSON.stringify(document).includes('"$ref":')) throw new CannotJudge('References are not followed.');
  for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks })) {
    const other = Object.keys(item).find((key) => !methods.includes(key));
    if (other !== undefined) throw new CannotJudge(`${path}: there is no rule for ${other} beside the operations.`);
  }
}

/** Returns the operations by method and path, without the names of path parameters. */
function operationsIn(paths: Record<string, PathItem>): Map<string, { shown: string; operation: Operation }> {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const shown = `${method.toUpperCase()} ${path}`;
      return [shown.replaceAll(/\{[^}]+\}/g, '{}'), { shown, operation }] as const;
    }),
  );
  return new Map(entries);
}

function compareOperations(before: OpenApi, after: OpenApi): Change[] {
  const now = operationsIn(after.paths);
  return [...operationsIn(before.paths)].flatMap(([key, { shown, operation }]) => {
    const to = now.get(key)?.operation;
    if (to === undefined) return [change('operation-removed', shown, operation.operationId)];
    const pair = { before: operation, after: to, place: shown };
    const security = compareSecurity(operation.security ?? before.security ?? [], to.security ?? after.security ?? [], shown);
    return [
      ...security,
      ...compareAbilities(pair),
      ...compareParameters(pair),
      ...compareSentBody(pair),
      ...compareReplies(pair),
    ];
  });
}

const headersOf = ({ parameters = [] }: Operation): Headers =>
  Object.fromEntries(
    parameters
      .filter((one) => one.in === 'header')
      .map(({ name, required, schema }) => [name, { required, ...(schema && { schema }) }]),
  );

/** Compares events: the consumer receives their body, while it sends the body of a call. */
function compareEvents(before: OpenApi, after: OpenApi): Change[] {
  return Object.entries(before.webhooks ?? {}).flatMap(([type, { post: from }]) => {
    const to = after.webhooks?.[type]?.post;
    const place = `event ${type}`;
    if (from === undefined) return [];
    if (to === undefined) return [change('event-removed', place, type)];
    const statuses = Object.keys(from.responses).filter((status) => !(status in to.responses));
    return [
      ...compareReceivedHeaders(headersOf(from), headersOf(to), place),
      ...compareContent(from.requestBody, to.requestBody, 'received', place),
      ...statuses.map((status) => change('status-removed', `${place}, answer ${status}`, status, Object.keys(to.responses))),
    ];
  });
}

function schemesOf(document: OpenApi): Record<string, unknown> {
  const { securitySchemes } = (document.components ?? {}) as { securitySchemes?: Record<string, unknown> };
  return securitySchemes ?? {};
}

function compareAccess(before: OpenApi, after: OpenApi): Change[] {
  const urls = (document: OpenApi) => ((document.servers ?? []) as { url: string }[]).map(({ url }) => url);
  const gone = urls(before).filter((url) => !urls(after).includes(url));
  const schemes = Object.entries(schemesOf(before)).filter(
    ([name, scheme]) => JSON.stringify(scheme) !== JSON.stringify(schemesOf(after)[name]),
  );
  return [
    ...gone.map((url) => change('server-removed', 'servers', url, urls(after))),
    ...schemes.map(([name, scheme]) =>
      change('security-scheme-changed', `authorization ${name}`, scheme, schemesOf(after)[name]),
    ),
  ];
}

/** Returns all changes that break a consumer of the first document. */
export function findBreaking(before: OpenApi, after: OpenApi): Change[] {
  assertWhole(before);
  assertWhole(after);
  return [...compareAccess(before, after), ...compareOperations(before, after), ...compareEvents(before, after)];
}
