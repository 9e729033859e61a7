import type { RecordedCall } from './call.ts';

/** Which calls are meant: those that fit every field that is given. */
export interface CallFilter {
  /** The operationId, such as `createSale`. */
  operation?: string;
  /** In any case. */
  method?: string;
  /** The whole path without its query string, or a pattern that is found in it. */
  path?: string | RegExp;
  /** A status, or a class of them such as `4xx`. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`;
  where?: (call: RecordedCall) => boolean;
}

type Criterion = keyof CallFilter;

/** For each field of a filter: whether a call fits, and what to say where it does not. */
const criteria: { [Name in Criterion]: (call: RecordedCall, wanted: NonNullable<CallFilter[Name]>) => string | undefined } = {
  operation: (call, wanted) => differs(call.operation === wanted, `operation is ${call.operation ?? 'none'}, not ${wanted}`),
  method: (call, wanted) =>
    differs(call.method === wanted.toUpperCase(), `method is ${call.method}, not ${wanted.toUpperCase()}`),
  path: (call, wanted) =>
    typeof wanted === 'string'
      ? differs(call.path === wanted, `path is ${call.path}, not ${wanted}`)
      : // `search` starts at the beginning whatever the pattern's flags have left behind.
        differs(call.path.search(wanted) >= 0, `path is ${call.path}, which ${wanted} does not find`),
  status: (call, wanted) => differs(hasStatus(call, wanted), `status is ${call.status}, not ${wanted}`),
  where: (call, wanted) => differs(wanted(call), '`where` says no'),
};
const names = Object.keys(criteria) as Criterion[];

function differs(fits: boolean, difference: string): string | undefined {
  return fits ? undefined : difference;
}

function hasStatus(call: RecordedCall, wanted: number | string): boolean {
  return typeof wanted === 'number' ? call.status === wanted : String(call.status).charAt(0) === wanted.charAt(0);
}

/** In what a call differs from what a filter asks for; empty where it fits. */
export function differencesOf(call: RecordedCall, filter: CallFilter): string[] {
  return names.flatMap((name) => {
    const wanted = filter[name];
    return wanted === undefined ? [] : (criteria[name](call, wanted as never) ?? []);
  });
}

/** Whether a call fits; stops at the first difference. */
export function fits(call: RecordedCall, filter: CallFilter): boolean {
  return names.every((name) => filter[name] === undefined || criteria[name](call, filter[name] as never) === undefined);
}

/** Refuses what would silently match everything or nothing: a misspelt field, a status class that is none. */
export function checkFilter(filter: CallFilter): void {
  const unknown = Object.keys(filter).find((name) => !(names as string[]).includes(name));
  if (unknown !== undefined) throw new TypeError(`A filter has no field "${unknown}". It takes ${names.join(', ')}.`);
  const { status } = filter;
  if (status === undefined || Number.isInteger(status) || /^[1-5]xx$/.test(String(status))) return;
  throw new TypeError(`status: ${JSON.stringify(status)} is no status. Give a number such as 404, or a class such as '4xx'.`);
}

/** A filter in words, for messages. */
export function describeFilter(filter: CallFilter): string {
  const parts = names.flatMap((name) => {
    const wanted = filter[name];
    if (wanted === undefined) return [];
    return name === 'where' ? ['for which `where` says yes'] : [`${name} ${wanted}`];
  });
  return parts.length === 0 ? 'any call' : `a call with ${parts.join(', ')}`;
}
