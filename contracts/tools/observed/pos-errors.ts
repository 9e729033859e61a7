import { payments, reports, sales, token } from '../../gaps/is/pos.ts';
import { isRecord } from '../../json.ts';
import { aboutRepeats, aboutUnknown, isText, type SeenCall } from './call.ts';
import { asked, choice, not, other, type Recogniser, rule, type Said, taken } from './finding.ts';

/** The refusals of the point of sale: bodies, statuses, limits, and who may reach what. */

const isServed = (call: SeenCall) => call.servedBy('pos') !== undefined;
const kinds: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  [sales]: {
    store_id: isText,
    items: (value) => Array.isArray(value) && value.length > 0 && value.every(isRecord),
    payment_method: isText,
  },
  [payments]: { amount: (value) => typeof value === 'number' && value > 0, provider: isText },
  [token]: { api_key: isText, api_secret: isText },
};

/** True if a service has to refuse the request for what it says, whatever it knows. */
function isMalformed(call: SeenCall): boolean {
  const { operation, query, body } = call.asked;
  if (operation === reports)
    return [query.start_date, query.end_date].some((day) => day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day));
  const needed = kinds[operation];
  if (needed === undefined || !isRecord(body)) return false;
  return Object.entries(needed).some(([name, isRight]) => !isRight(body[name]) && call.isNamed(name));
}

const isAboutStock = (call: SeenCall) => call.isOn(sales) && call.says(/stock/i) && !isMalformed(call);
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

const mediaTypeSent = ({ asked: { headers } }: SeenCall) =>
  (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase();

const isLimit = (call: SeenCall) => /rate.?limit|too many|limit exceeded|quota/i.test(JSON.stringify(call.reply.body ?? ''));

const conditions = 'pos.error-conditions';

/**
 * What a refusal is about, and what follows from its status. Our choice has no 422, whatever the call lacks. Only if it is not valid,
 * an alternative explains it.
 */
const kindsOfRefusal: readonly [what: string, isOfKind: (call: SeenCall) => boolean, said: Readonly<Record<number, Said>>][] = [
  [
    'a request that is not valid is',
    (call) => isMalformed(call) && (call.status === 422 || mediaTypeSent(call) === 'application/json'),
    { 400: not('422-validation'), 422: '422-validation' },
  ],
  ['a sale of more than the stock is', isAboutStock, { 400: not('409-conflicts'), 409: '409-conflicts', 422: other }],
  ['wrong credentials are', (call) => call.isOn(token) && call.says(/credential|identifiant|wrong|incorrect/i), { 422: other }],
  ['a call that an earlier one does not allow is', isAboutEarlier, { 422: other }],
  ['what is not found is', isAboutRecord, { 400: '400-unknown', 404: not('400-unknown'), 422: other }],
  ['a call is', () => true, { 409: '409-conflicts' }],
  ['a request that is not valid is', () => true, { 422: '422-validation' }],
];

/** Another entry is about bodies that are not JSON, and another about sales that are sent again. */
const isOfAnotherEntry = (call: SeenCall) =>
  (call.method !== 'GET' && (mediaTypeSent(call) !== 'application/json' || !isRecord(call.asked.body))) ||
  call.says(aboutRepeats);

const refusals = [
  rule(conditions, (call) => {
    if (!isServed(call) || !isRecord(call.reply.body) || (call.status === 422 && isOfAnotherEntry(call))) return undefined;
    const [what, , ways] = kindsOfRefusal.find(([, isOfKind, said]) => call.status in said && isOfKind(call)) ?? [];
    const said = ways?.[call.status];
    return said !== undefined && [said, `${what} answered with ${call.status}`];
  }),
  asked(token, conditions, (call, earlier) => {
    const { api_key: key, api_secret: secret } = call.sent;
    if (!isText(key) || !isText(secret)) return undefined;
    if (call.status === 401) return [not('400-credentials'), 'wrong credentials are answered with 401'];
    // The form of the credentials may be wrong, or the path.
    const isKnownPath = call.asked.path.endsWith('/api/auth') || earlier.some((one) => one.isOn(token) && one.isSuccess);
    const isAboutThem =
      call.says(/credential|secret|wrong|incorrect|unknown|no such|identifiant/i) &&
      !call.says(/required|format|missing|length|pattern/i);
    return call.status === 400 && isKnownPath && isAboutThem && ['400-credentials', 'wrong credentials are answered with 400'];
  }),
  asked([sales, payments], 'pos.transport-statuses', (call) => {
    const isPlain = mediaTypeSent(call) === 'text/plain' && typeof call.asked.body === 'string';
    const isAboutIt = call.status === 400 && call.says(/content-?type|media|json/i);
    return isPlain && isAboutIt && ['400-and-500', 'a body that is not JSON is answered with 400'];
  }),
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
  asked(token, 'pos.token-guard', (call) => {
    return call.status === 429 && [not('none'), 'the token operation is answered with 429'];
  }),
];

const storeOf = (call: SeenCall) => call.sent.store_id ?? call.query.store_id;

const reached = [
  taken([sales, payments, reports], 'pos.token-transport', (call) => {
    const sent = call.token;
    if (sent === 'bearer') return [not('own-header'), 'a call with Authorization: Bearer succeeds'];
    return sent === 'own-header' && [not(choice), 'a call with the token in another header succeeds'];
  }),
  // A token that worked before and after is refused for one store only.
  rule('pos.store-access', (call, earlier) => {
    const isOther = (one: SeenCall) => one.status === 401 && isText(storeOf(one)) && storeOf(one) !== storeOf(call);
    const own = earlier.filter((one) => one.hasTokenOf(call));
    const isRefused = own.some((one, at) => isOther(one) && own.slice(0, at).some((one) => one.isSuccess));
    const hasToken = call.asked.headers.authorization !== undefined;
    return call.isSuccess && hasToken && isRefused && ['401', 'a token that works is refused for one store'];
  }),
];

export const posErrors: readonly Recogniser[] = [...refusals, ...reached];
