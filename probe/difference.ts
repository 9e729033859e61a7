import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../contracts/tools/json.ts';
import type { RecordedCall } from '../stubs/journal/call.ts';
import { operationIn } from './operation.ts';
import { shownReply } from './shown.ts';
import type { Difference } from './types.ts';

/** A value whose digits and letters differ with each run: ids, references, times, tokens. */
const volatile = /^(?=.*\d)[\w:.+|-]{8,}$/;

/** The form of a reply: what would be the same in two runs of one suite. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, formOf(held)]));
  // A much longer id is another form.
  if (typeof value === 'string' && volatile.test(value)) return '…'.repeat(1 + Math.floor(value.length / 16));
  return value;
}

const replyOf = ({ status, responseHeaders, responseBody }: RecordedCall) =>
  shownReply({
    status,
    headers: Object.fromEntries(
      Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]),
    ),
    body: responseBody === '' ? undefined : responseBody,
  });

/**
 * The first call of each operation that was answered otherwise than in the plain run, where it can be told. Calls of one operation
 * are compared in their order.
 */
export function firstDifferences(plain: readonly RecordedCall[], calls: readonly RecordedCall[]): Difference[] {
  const nameOf = (call: RecordedCall) => operationIn(call.method, call.path);
  const before = Map.groupBy(plain, nameOf);
  return [...Map.groupBy(calls, nameOf)].flatMap(([where, own]) => {
    for (const [at, call] of own.entries()) {
      const same = before.get(where)?.[at];
      if (same === undefined) return [];
      const [one, other] = [replyOf(same), replyOf(call)];
      if (one.status !== other.status || !isDeepStrictEqual(formOf(one.body), formOf(other.body)))
        return [{ where, before: one, after: other }];
    }
    return [];
  });
}
