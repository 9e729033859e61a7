import { readFileSync } from 'node:fs';
import leven from 'leven';
import type { ServiceName } from '../documents/services.ts';
import { jsonSchema, type OpenApi, type Operation, resolved } from './document.ts';

// The bundler finds only places that are written out.
const places: Readonly<Record<ServiceName, URL>> = {
  pos: new URL('./pos.json', import.meta.url),
  cohesion: new URL('./cohesion.json', import.meta.url),
};
const known: Partial<Record<ServiceName, OpenApi>> = {};

function read(name: ServiceName): OpenApi {
  known[name] ??= resolved(JSON.parse(readFileSync(places[name], 'utf8')) as OpenApi);
  return known[name];
}

/** The committed OpenAPI document of each provider. Each is read when it is first needed: a stub needs one of them. */
export const openApi: Readonly<Record<ServiceName, OpenApi>> = {
  get pos() {
    return read('pos');
  },
  get cohesion() {
    return read('cohesion');
  },
};

export interface ProviderOperation {
  /** In capitals: `GET`. */
  method: string;
  /** The template in the OpenAPI document: `/api/v1/financements/{id}`. */
  path: string;
  operation: Operation;
}

const base = '/api/v1';
/** Second paths of one operation (gap pos.auth-path), each with the path that identifies it. */
const aliases: Readonly<Record<string, string>> = { '/api/v1/auth': '/api/auth' };

/** Returns every operation of a provider. An operation with two paths is listed once. */
export const operationsOf = (provider: ServiceName): ProviderOperation[] =>
  Object.entries(openApi[provider].paths)
    .filter(([path]) => !(path in aliases))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );

/** Returns the event types of a provider, each with the operation that its receiver implements. */
export function eventsOf(provider: ServiceName): Record<string, Operation> {
  const webhooks = Object.entries(openApi[provider].webhooks ?? {});
  return Object.fromEntries(webhooks.flatMap(([type, { post }]) => (post === undefined ? [] : [[type, post]])));
}

/** Returns the paths that `path` can stand for: itself, and itself below the base address, which ends in /api/v1. */
function placesOf(path: string): string[] {
  const [bare = ''] = path.split(/[?#]/);
  const rooted = bare.startsWith('/') ? bare : `/${bare}`;
  return [rooted, `${base}${rooted}`].map((place) => aliases[place] ?? place);
}

const isParameter = (segment: string) => /^\{.+\}$/.test(segment);

function fits(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => (isParameter(segment) ? given[at] !== '' : segment === given[at]))
  );
}

/** Returns the operation that answers `method path`. The path may have a query and may lack the prefix `/api/v1`. */
export function findOperation(provider: ServiceName, method: string, path: string): ProviderOperation | undefined {
  const places = placesOf(path);
  const candidates = operationsOf(provider).filter((operation) => operation.method === method.toUpperCase());
  for (const place of places) {
    const found = candidates.find((operation) => operation.path === place) ?? candidates.find((one) => fits(one.path, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the methods that a path takes, with its prefix `/api/v1`; none for a path that the document does not have. */
export const methodsAt = (provider: ServiceName, path: string): string[] =>
  operationsOf(provider)
    .filter((one) => fits(one.path, aliases[path] ?? path))
    .map(({ method }) => method);

/** Finds an operation by its name, such as `GET /stats`. */
export function operationNamed(provider: ServiceName, name: string): Operation | undefined {
  const [method = '', path = ''] = name.split(' ');
  return findOperation(provider, method, path)?.operation;
}

/** Returns the query parameters of an operation; undefined for an operation that the document does not have. */
export function parametersOf(provider: ServiceName, name: string): string[] | undefined {
  const found = operationNamed(provider, name);
  return found && (found.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name);
}

/** What the document shows of an operation's requests: the query parameters, and the schema of the body. */
export const shownOfRequest = (provider: ServiceName, name: string) => ({
  parameters: parametersOf(provider, name),
  bodyShape: jsonSchema(operationNamed(provider, name)?.requestBody),
});

/** Returns the path of a request with its prefix `/api/v1`, for the operation found by `findOperation`. */
export const rootedPath = (path: string, operation: ProviderOperation): string =>
  placesOf(path).find((place) => fits(operation.path, place)) ?? operation.path;

/** Returns the operation whose path is most like `path`. A different method counts as two letters. */
export function nearestOperation(provider: ServiceName, method: string, path: string): ProviderOperation | undefined {
  const places = placesOf(path).map((place) => place.slice(0, 200));
  const far = (one: ProviderOperation) =>
    Math.min(...places.map((place) => leven(place, fits(one.path, place) ? place : one.path))) +
    (one.method === method.toUpperCase() ? 0 : 2);
  return operationsOf(provider).toSorted((one, other) => far(one) - far(other))[0];
}
