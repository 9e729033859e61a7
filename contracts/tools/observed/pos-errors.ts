import { payments, reports, sales, token } from '../../../spec/gaps/is/pos.ts';
import { isRecord } from '../../../spec/json.ts';
import { aboutRepeats, aboutUnknown, isText, type SeenCall } from './call.ts';
import { asked, choice, not, type Recogniser, rule, taken } from './finding.ts';
import { refusal, refused } from './refused.ts';
import { isRefusedAnyway } from './requests.ts';

/** The refusals of the point of sale: bodies, statuses, limits, and who may reach what. */

const isAboutStock = (call: SeenCall) => call.isOn(sales) && call.says(/stock/i);
const isAboutEarlier = (call: SeenCall) =>
  call.says(/already (been )?(paid|completed|settled)|(paid|completed|settled) already|déjà (payé|réglé)|idempotency.key/i);
/** True if the service does not know a store, product or sale that the call names. */
const isAboutRecord = (call: SeenCall) => {
  const named = call.isOn(payments) ? 'reference' : 'store_id';
  const isSent = !call.isOn(token) && isText(call.sent[named] ?? call.query[named]);
  const isAboutField = call.says(/(unknown|unexpected|additional)[ _](field|param|propert|method)|not a field/i);
  const isUnknown = call.says(aboutUnknown) && call.says(/store|product|sale|reference/i);
  return isSent && isUnknown && (call.status === 404 || !isAboutField);
};
const isAboutCredentials = (call: SeenCall) => {
  const isComplete = call.isOn(token) && isText(call.sent.api_key) && isText(call.sent.api_secret);
  const isAboutForm = call.says(/required|format|missing|length|pattern/i);
  const isAboutThem = call.says(/credential|secret|api.?key|wrong|incorrect|identifiant/i) && !isAboutForm;
  return isComplete && (call.status === 401 || isAboutThem);
};
/** Another entry is about bodies that are not JSON, and another about sales that are sent again. */
const isAboutOthers = (call: SeenCall) => call.status === 422 && (!isRecord(call.asked.body ?? {}) || call.says(aboutRepeats));

/** Our choice has neither 409 nor 422, whatever the call is about. */
const conditions = refused(
  'pos.error-conditions',
  ['', undefined, (call) => !call.servedBy('pos') || !isRecord(call.reply.body) || isAboutOthers(call)],
  ['a request that is not valid is', refusal(400, 'invalid_request'), (call) => isRefusedAnyway('pos', call)],
  ['a sale of more than the stock is', refusal(400, 'insufficient_stock'), isAboutStock],
  ['wrong credentials are', refusal(401, 'invalid_credentials'), isAboutCredentials],
  ['a call that an earlier one does not allow is', refusal(400, 'already_paid'), isAboutEarlier],
  ['what is not found is', refusal(404, 'unknown_store'), isAboutRecord],
  ['a call is', refusal(400, 'already_paid'), ({ status }) => status === 409],
  ['a request that is not valid is', refusal(400, 'invalid_request'), ({ status }) => status === 422],
);

const isLimit = (call: SeenCall) => /rate.?limit|too many|limit exceeded|quota/i.test(JSON.stringify(call.reply.body ?? ''));

export const posErrors: readonly Recogniser[] = [
  conditions,
  refused('pos.transport-statuses', [
    'a body that is not JSON is',
    refusal(415),
    (call) => call.typeSent === 'text/plain' && call.status === 400 && call.says(/content-?type|media|json/i),
  ]),
  rule('pos.limit-exceeded', (call) => {
    const { status, headers } = call.reply;
    const ours = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
    if (status === 403) return isLimit(call) && ['403', 'a limit is answered with 403'];
    if (status !== 429) return undefined;
    return ours.every((name) => name in headers)
      ? [choice, 'a limit is answered with 429, Retry-After and RateLimit']
      : ['429-other-headers', 'a limit is answered with 429 and other headers'];
  }),
  // A refusal of wrong credentials is 401, and a limit is another status.
  taken([sales, payments, reports], 'pos.token-transport', ({ token: sent }) => {
    if (sent === 'bearer') return [not('own-header'), 'a call with Authorization: Bearer succeeds'];
    return sent === 'own-header' && [not(choice), 'a call with the token in another header succeeds'];
  }),
  asked(token, 'pos.token-guard', ({ status }) => status === 429 && [not('none'), 'the token operation is answered with 429']),
];
