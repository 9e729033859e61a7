import { findOperation, operationsOf } from '../../openapi/operations.ts';
import { fieldsOf, isRecord } from '../json.ts';
import { choice, excludes, type Finding, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import { aboutRepeats, aboutUnknown, isNamed, isOn, isText, mediaType, says, sentFields } from './look.ts';

/** The refusals of the point of sale: bodies, statuses, limits. */

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const secured = [sales, payments, 'GET /inventory', 'GET /reports/sales'];

const isServed = ({ asked }: SeenCall) => findOperation('pos', asked.operation.split(' ')[0] ?? '', asked.path) !== undefined;
/** Statuses of the API itself. Proxies and frameworks answer others, often with bodies of their own. */
const own = [400, 401, 404, 409, 422, 500];

const errorBody: Recogniser = (call) => {
  const gap = 'pos.error-body';
  const { body, status } = call.reply;
  if (!own.includes(status) || !isServed(call) || !isRecord(body)) return nothing;
  const { success, error, title, type, detail } = body;
  if (
    mediaType(call) === 'application/problem+json' ||
    (isText(title) && body.status === status && (isText(type) || isText(detail)))
  )
    return shows(gap, 'problem-details', 'an error is problem details');
  if (isText(error) && success === undefined) return shows(gap, 'error-text', 'an error is a text');
  const { code, message, details } = fieldsOf(error);
  return success === false && isText(code) && isText(message) && Array.isArray(details)
    ? shows(gap, choice, 'an error has success, code, message and details')
    : shows(gap, other, 'an error has another shape');
};

const kinds: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  [sales]: {
    store_id: isText,
    items: (value) => Array.isArray(value) && value.length > 0 && value.every(isRecord),
    payment_method: isText,
  },
  [payments]: { amount: (value) => typeof value === 'number' && value > 0, provider: isText },
  'POST /auth': { api_key: isText, api_secret: isText },
};

/** True if a service has to refuse the request for what it says, whatever it knows. */
export function isMalformed(call: SeenCall): boolean {
  const { operation, query, body } = call.asked;
  if (operation === 'GET /reports/sales')
    return [query.start_date, query.end_date].some((day) => day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day));
  const needed = kinds[operation];
  if (needed === undefined || !isRecord(body)) return false;
  return Object.entries(needed).some(([name, isRight]) => !isRight(body[name]) && isNamed(call, name));
}

const isAboutStock = (call: SeenCall) => isOn(call, sales) && says(call, /stock/i) && !isMalformed(call);
const isAboutEarlier = (call: SeenCall) =>
  says(call, /already (been )?(paid|completed|settled)|(paid|completed|settled) already|déjà (payé|réglé)|idempotency.key/i);
/** True if the service does not know a store, product or sale that the call names. */
const isAboutRecord = (call: SeenCall) => {
  const named = isOn(call, payments) ? 'reference' : 'store_id';
  const isSent = isText(sentFields(call)[named] ?? call.asked.query[named]);
  return isOn(call, ...secured) && isSent && says(call, aboutUnknown) && says(call, /store|product|sale|reference/i);
};
const isUnknownField = (call: SeenCall) =>
  says(call, /(unknown|unexpected|additional)[ _](field|param|propert|method)|not a field/i);

const conditions: Recogniser = (call) => {
  const gap = 'pos.error-conditions';
  const { status } = call.reply;
  if (!isServed(call) || !isRecord(call.reply.body)) return nothing;
  if (status === 422) return unprocessable(call);
  if (isMalformed(call) && status === 400 && mediaTypeSent(call) === 'application/json')
    return excludes(gap, ['422-validation'], 'a request that is not valid is answered with 400');
  if (isAboutStock(call) && status === 400)
    return excludes(gap, ['409-conflicts'], 'a sale of more than the stock is answered with 400');
  if (status === 409)
    return shows(
      gap,
      '409-conflicts',
      isAboutStock(call) ? 'a sale of more than the stock is answered with 409' : 'a call is answered with 409',
    );
  if (!isAboutRecord(call)) return nothing;
  if (status === 404) return excludes(gap, ['400-unknown'], 'what is not found is answered with 404');
  return status === 400 && !isUnknownField(call) ? shows(gap, '400-unknown', 'what is not found is answered with 400') : nothing;
};

/** Our choice has no 422, whatever the call lacks. Only if it is not valid, an alternative explains the reply. */
function unprocessable(call: SeenCall): Finding[] {
  const gap = 'pos.error-conditions';
  const { operation, body } = call.asked;
  const isJson = operation.startsWith('GET') || (mediaTypeSent(call) === 'application/json' && isRecord(body));
  // Another entry is about bodies that are not JSON, and another about sales that are sent again.
  if (!isJson || says(call, aboutRepeats)) return nothing;
  if (!isMalformed(call)) {
    if (isAboutStock(call)) return shows(gap, other, 'a sale of more than the stock is answered with 422');
    if (isOn(call, 'POST /auth') && says(call, /credential|identifiant|wrong|incorrect/i))
      return shows(gap, other, 'wrong credentials are answered with 422');
    if (isAboutEarlier(call)) return shows(gap, other, 'a call that an earlier one does not allow is answered with 422');
    if (isAboutRecord(call) && !isUnknownField(call)) return shows(gap, other, 'what is not found is answered with 422');
  }
  return shows(gap, '422-validation', 'a request that is not valid is answered with 422');
}

const mediaTypeSent = ({ asked: { headers } }: SeenCall) =>
  (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase();

const transport: Recogniser = (call) => {
  const gap = 'pos.transport-statuses';
  const { status } = call.reply;
  if (!isServed(call)) return nothing;
  if (status === 413 || status === 415) return excludes(gap, ['400-and-500'], `a call is answered with ${status}`);
  const isPlain = mediaTypeSent(call) === 'text/plain' && typeof call.asked.body === 'string';
  return isOn(call, sales, payments) && isPlain && status === 400 && says(call, /content-?type|media|json/i)
    ? shows(gap, '400-and-500', 'a body that is not JSON is answered with 400')
    : nothing;
};

const method: Recogniser = (call) => {
  const gap = 'pos.unknown-method';
  const [asked = ''] = call.asked.operation.split(' ');
  const isKnownPath = operationsOf('pos').some(({ path }) => path === call.asked.path) && !isServed(call);
  if (!isKnownPath || ['HEAD', 'OPTIONS', 'TRACE'].includes(asked)) return nothing;
  if (call.reply.status === 405) return shows(gap, '405', 'a known path with another method is answered with 405');
  return call.reply.status === 404 ? shows(gap, choice, 'a known path with another method is answered with 404') : nothing;
};

const limits: Recogniser = ({ reply: { status, headers, body } }) => {
  const gap = 'pos.limit-exceeded';
  const isOurs = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].every((name) => name in headers);
  if (status === 429) {
    return isOurs && 'retry-after' in headers
      ? shows(gap, choice, 'a limit is answered with 429, Retry-After and RateLimit')
      : shows(gap, '429-other-headers', 'a limit is answered with 429 and other headers');
  }
  return status === 403 && /rate.?limit|too many|limit exceeded|quota/i.test(JSON.stringify(body ?? ''))
    ? shows(gap, '403', 'a limit is answered with 403')
    : nothing;
};

export const posErrors: readonly Recogniser[] = [errorBody, conditions, transport, method, limits];
