import type { ServiceName } from '../../documents/services.ts';
import { findOperation } from '../../openapi/operations.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf } from '../json.ts';
import { choice, excludes, type Finding, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import { isInvalid, isOfToken, isOn, isRefused, isSuccess, sentFields } from './look.ts';

/** Limits: how large a body may be, and how many calls there may be. */

const [ourBound, megabyte] = [262_144, 1_000_000];

/** True if a refusal shows that the body was read: it is about a field. */
const isRead = (call: SeenCall) =>
  isSuccess(call) ||
  (isRefused(call) && isInvalid(call) && (listOf(fieldsOf(call.asked.body).items).length > 0 || 'montant' in sentFields(call)));

const size =
  (api: ServiceName, gap: string, unlimited: readonly string[]): Recogniser =>
  (call) => {
    const { sentBytes, reply, asked } = call;
    if (findOperation(api, asked.operation.split(' ')[0] ?? '', asked.path) === undefined) return nothing;
    if (reply.status === 413)
      return sentBytes < megabyte
        ? excludes(gap, unlimited, 'a body below 1 MB is answered with 413')
        : excludes(gap, ['unlimited'], 'a large body is answered with 413');
    return sentBytes > ourBound && isRead(call) ? excludes(gap, [choice], 'a body over 256 KiB is read') : nothing;
  };

/** A refusal of wrong credentials is 401, and a limit is another status. */
const tokenGuard: Recogniser = (call) =>
  isOn(call, 'POST /auth') && call.reply.status === 429
    ? excludes('pos.token-guard', ['none'], 'the token operation is answered with 429')
    : nothing;

/** The first figure of a header of limits, whose names differ. */
const figureOf = ({ reply: { headers } }: SeenCall, name: 'limit' | 'remaining'): number | undefined => {
  const [, figure] = /^(\d+)/.exec(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`] ?? '') ?? [];
  return figure === undefined ? undefined : Number(figure);
};

const reads: Recogniser = (call) => {
  const gap = 'cohesion.read-throttle';
  if (!call.asked.operation.startsWith('GET ') || findOperation('cohesion', 'GET', call.asked.path) === undefined) return nothing;
  const limit = figureOf(call, 'limit');
  if (limit === undefined && call.reply.status !== 429) return nothing;
  return limit === 60
    ? shows(gap, '60-per-minute', 'a read has a limit of 60')
    : shows(gap, other, 'reads have a limit, and not that of 60');
};

const create = 'POST /financements';
const update = 'PUT /financements/{id}';

/**
 * True if no count of the window of `first` ends before the second call, whether the window is fixed or slides. The times of replies
 * and the header are in whole seconds.
 */
function isInWindow(first: SeenCall, second: SeenCall): boolean {
  const { date: from = '', 'ratelimit-reset': reset } = first.reply.headers;
  const seconds = (Date.parse(second.reply.headers.date ?? '') - Date.parse(from)) / 1000;
  return seconds + 2 < Number(reset);
}

/** How many calls the limit has counted from one call to the next. */
const countedFrom = (first: SeenCall, second: SeenCall) =>
  (figureOf(first, 'remaining') ?? Number.NaN) - (figureOf(second, 'remaining') ?? Number.NaN);

const writes: Recogniser = (call, earlier) => {
  if (!isOn(call, create, update)) return nothing;
  const before = earlier.filter(
    (one) => isOn(one, create, update) && isOfToken(call)(one) && figureOf(one, 'remaining') !== undefined,
  );
  const last = before.at(-1);
  const isInTurn = last !== undefined && last.asked.operation !== call.asked.operation && isInWindow(last, call);
  return isInTurn ? countOfMethods(call, before, last) : nothing;
};

/**
 * POST and PUT are counted together or not. `last`: the write before, with the other method. One counter gives each figure once in a
 * window, in whatever order replies arrive.
 */
function countOfMethods(call: SeenCall, before: readonly SeenCall[], last: SeenCall): Finding[] {
  const gap = 'cohesion.write-throttle-scope';
  const isOfOther = (one: SeenCall) => one.asked.operation !== call.asked.operation;
  const isTwice = (one: SeenCall) => isOfOther(one) && isSuccess(one) && countedFrom(one, call) === 0 && isInWindow(one, call);
  if (isSuccess(call) && before.some(isTwice)) return shows(gap, 'per-method', 'POST and PUT are counted apart');
  const own = before.findLast((one) => !isOfOther(one));
  const isInTurn = own === undefined || (countedFrom(own, call) > 1 && isInWindow(own, call));
  return countedFrom(last, call) === 1 && isInTurn ? excludes(gap, ['per-method'], 'POST and PUT are counted together') : nothing;
}

/** Statuses that social cohesion may answer with beside those of the document. */
const transport: Recogniser = ({ reply: { status } }) =>
  [413, 415].includes(status) ? excludes('cohesion.transport-statuses', ['422'], `a call is answered with ${status}`) : nothing;

export const limits: Readonly<Record<ServiceName, readonly Recogniser[]>> = {
  pos: [size('pos', 'pos.body-size', ['1-mb', 'unlimited']), tokenGuard],
  cohesion: [size('cohesion', 'cohesion.body-size', ['unlimited']), reads, writes, transport],
};
