import { all, payments, reports, sales, token } from '../../../spec/gaps/is/pos.ts';
import { fieldsOf, isRecord, type Json, jsonOr } from '../../../spec/json.ts';
import { isText, type SeenCall } from './call.ts';
import { choice, not, other, type Recogniser, taken } from './finding.ts';

/** The successful replies of the point of sale: states, dates, tokens. */

/** The sales of a reply, if it names them as our choice does. A report may be a list of them. */
const salesIn = (call: SeenCall): Json[] =>
  [call.record]
    .flat()
    .map(fieldsOf)
    .map((record) => fieldsOf(record.sale ?? (call.isOn(payments) ? undefined : record)));

/** The status of a record, if the record names it as our choice does. */
const stateIn = (call: SeenCall) => String(fieldsOf(call.record).status).toLowerCase();

/** The algorithm of a JWT, and its lifetime: its claims are in seconds (RFC 7519). */
const jwtIn = (call: SeenCall) => {
  const parts = String(fieldsOf(call.reply.body).token).split('.');
  const [head, claims] = parts.map((part) => fieldsOf(jsonOr(Buffer.from(part, 'base64url').toString(), undefined)));
  return { alg: head?.alg, seconds: isText(head?.alg) ? Number(claims?.exp) - Number(claims?.iat) : Number.NaN };
};

/** The unit of expires_in. Only the token's claims show it. If no unit fits both, neither of them is certain. */
const unitIn = (call: SeenCall): string | undefined => {
  const { seconds } = jwtIn(call);
  const units = { [choice]: seconds, milliseconds: seconds * 1000, minutes: seconds / 60 };
  return Object.entries(units).find(([, value]) => value === fieldsOf(call.reply.body).expires_in)?.[0];
};

export const posReplies: readonly Recogniser[] = [
  taken(sales, 'pos.payment-reference', (call) => {
    const isMade = isText(salesIn(call)[0]?.reference) && call.sent.reference === undefined;
    return isMade && [not('made-by-client', 'sale-id'), 'the reply to a sale has a reference'];
  }),
  taken(all, 'pos.sale-states', (call) => {
    const isFurther = salesIn(call).some(({ status }) => /^(cancell?ed|refunded|failed)$/i.test(String(status)));
    return isFurther && ['further', 'a sale is cancelled, refunded or failed'];
  }),
  taken(sales, 'pos.sale-states', (call) => {
    const { payment_method: method, total } = call.sent;
    if (method !== 'mobile_money' || !(Number(total) > 0)) return undefined;
    if (stateIn(call) === 'pending') return [not('completed-at-once'), 'a mobile-money sale is pending'];
    return stateIn(call) === 'completed' && ['completed-at-once', 'a mobile-money sale is completed at once'];
  }),
  taken(payments, 'pos.payment-states', (call) => {
    if (stateIn(call) === 'received') return [not('pending'), 'a payment is received at once'];
    return stateIn(call) === 'pending' && ['pending', 'a payment is pending'];
  }),
  taken(reports, 'pos.report-response', ({ record }) => {
    if (!Array.isArray(record)) return [not('single-sales'), 'a report is not a list'];
    return isRecord(record[0]) && ['single-sales', 'a report is a list of records'];
  }),
  taken(reports, 'pos.report-dates-required', (call) => {
    const { start_date: start, end_date: end } = call.query;
    const { start_date: first, end_date: last } = fieldsOf(fieldsOf(call.record).period);
    const days = Math.round((Date.parse(String(last)) - Date.parse(String(first))) / 86_400_000) + 1;
    if (start !== undefined || end !== undefined || !Number.isFinite(days)) return undefined;
    if (days === 30) return [choice, 'a report without dates is of 30 days'];
    return [days === 1 ? 'current-day' : other, `a report without dates is of ${days} days`];
  }),
  taken(token, 'pos.token-format', (call) => {
    const { alg } = jwtIn(call);
    if (!isText(alg)) return ['random', 'the token is not a JWT'];
    return alg === 'HS256' ? [choice, 'the token is a JWT with HS256'] : ['rs256', 'the token is a JWT with another signature'];
  }),
  taken(token, 'pos.expires-in-unit', (call) => {
    const unit = unitIn(call);
    return unit !== undefined && [unit, `expires_in is ${unit === choice ? 'in seconds' : `in ${unit}`}, as the token says`];
  }),
  taken(token, 'pos.token-lifetime', (call) => {
    const { seconds } = jwtIn(call);
    const way = seconds === 3600 ? choice : seconds === 86_400 ? '24-hours' : other;
    return unitIn(call) !== undefined && [way, `a token lives ${seconds} seconds`];
  }),
];
