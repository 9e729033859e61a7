import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { nearestOf } from '../../gateway/base/nearest.ts';
import { statusesOf } from '../../gateway/http/record/filters.ts';
import type { RecordedCall } from './call.ts';

/** Selects the calls that match every given field. */
export interface CallFilter<Operation extends string = string> {
  /** The operationId, such as `createSale`. */
  operation?: Operation;
  /** In any case. */
  method?: string;
  /** The whole path without its query string, or a pattern that matches anywhere in it. */
  path?: string | RegExp;
  /** A status, or a class of statuses such as `4xx`. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`;
  where?: (call: RecordedCall) => boolean;
}

type Criterion = keyof CallFilter;

/** For each field of a filter: returns the difference, or undefined if the call matches. */
const criteria: { [Name in Criterion]: (call: RecordedCall, wanted: NonNullable<CallFilter[Name]>) => string | undefined } = {
  operation: (call, wanted) => unless(call.operation === wanted, `operation is ${call.operation ?? 'none'}, not ${wanted}`),
  method: (call, wanted) => unless(call.method === wanted.toUpperCase(), `method is ${call.method}, not ${wanted.toUpperCase()}`),
  path: (call, wanted) =>
    typeof wanted === 'string'
      ? unless(call.path === wanted, `path is ${call.path}, not ${wanted}`)
      : // Unlike `test`, `search` ignores the `lastIndex` of a pattern with the flag `g`.
        unless(call.path.search(wanted) >= 0, `path is ${call.path}, which does not match ${wanted}`),
  status: (call, wanted) => unless(hasStatus(call, wanted), `status is ${call.status}, not ${wanted}`),
  where: (call, wanted) => unless(wanted(call), '`where` returned false'),
};
const names = Object.keys(criteria) as Criterion[];

function unless(matches: boolean, difference: string): string | undefined {
  return matches ? undefined : difference;
}

function hasStatus({ status }: RecordedCall, wanted: number | string): boolean {
  const { from, below } = statusesOf(wanted);
  return status >= from && status < below;
}

/** The differences between a call and a filter; empty if the call matches. */
export const differencesOf = (call: RecordedCall, filter: CallFilter): string[] =>
  names.flatMap((name) => difference(name, call, filter) ?? []);

/** Returns true if the call matches; stops at the first difference. */
export function matches(call: RecordedCall, filter: CallFilter): boolean {
  return names.every((name) => difference(name, call, filter) === undefined);
}

function difference<Name extends Criterion>(name: Name, call: RecordedCall, filter: CallFilter): string | undefined {
  const wanted = filter[name];
  return wanted === undefined ? undefined : criteria[name](call, wanted);
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Throws `CouldNotRun` for an unknown operation, method or status, which would silently match every call or none.
 * `operations`: the known ones; undefined allows any.
 */
export function checkFilter(filter: CallFilter, operations?: readonly string[]): void {
  const { operation, method, path, status } = filter;
  if (typeof path === 'string' && !path.startsWith('/'))
    throw new CouldNotRun(`path: ${JSON.stringify(path)} must begin with "/". A pattern such as /sales/ matches a part of it.`);
  if (operation !== undefined && operations !== undefined) checkName(operation, 'an operation', operations);
  if (method !== undefined) checkName(method.toUpperCase(), 'a method', methods);
  if (status === undefined || Number.isInteger(status) || /^[1-5]xx$/.test(String(status))) return;
  throw new CouldNotRun(`status: ${JSON.stringify(status)} is not a status. Use a number such as 404, or a class such as '4xx'.`);
}

function checkName(given: string, what: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  throw new CouldNotRun(`"${given}" is not ${what}. Did you mean ${nearestOf(given, known)}?`);
}

/** The filter in words, for messages. */
export function describeFilter(filter: CallFilter): string {
  const parts = names.flatMap((name) => {
    const wanted = filter[name];
    if (wanted === undefined) return [];
    return name === 'where' ? ['for which `where` returns true'] : [`${name} ${wanted}`];
  });
  return parts.length === 0 ? 'any call' : `a call with ${parts.join(', ')}`;
}
