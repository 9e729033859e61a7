import { type ServiceName, services } from '../contracts/documents/services.ts';
import { findGap } from '../contracts/gaps/gaps.ts';
import type { harmlessChanges } from '../contracts/gaps/harmless.ts';
import type { Damage } from '../contracts/tools/verification/beside.ts';

/** A failure of calls that the documents or HTTP allow. */
interface CallFailure {
  /** What happens, as a clause. */
  text: string;
  /** The fault, as in the text form of rules. */
  fault: string | Readonly<Record<ServiceName, string>>;
  /** True if the client cannot know whether the work was done. */
  isUnclear?: true;
  /** True for operations that need a token only. */
  needsToken?: true;
  /** True if the reply says that the same request will be refused again. */
  isRefusal?: true;
  /** True if the reply says when to repeat it. */
  asksToWait?: true;
  /** True if it lasts, so that each attempt fails. */
  lasts?: true;
  /** The calls of a run at which it is played, where the client has to wait. */
  most?: number;
  /** What allows it. */
  allowedBy: (api: ServiceName) => string;
}

const words =
  (said: Readonly<Record<ServiceName, string>>) =>
  (api: ServiceName): string =>
    `${services[api].documentTitle}, ${said[api]}`;

const limits = words({
  pos: '8. Limits: 100 or 1000 requests per minute by plan; the status is not shown (RFC 6585: 429 and Retry-After)',
  cohesion: '8. Limits: 30 writes per minute; the status is not shown (RFC 6585: 429 and Retry-After)',
});
const brokenConnection = () => 'No document forbids it: a connection may end at any time (RFC 9112, 9.6)';
const serverError = words({
  pos: '7. Errors: "500 | internal server error"; HTTP has other 5xx (RFC 9110, 15.6)',
  cohesion: '7. Errors: shows no 5xx, which every HTTP service may answer (RFC 9110, 15.6)',
});
const unavailable = () => 'No document forbids it: 503 with Retry-After (RFC 9110, 15.6.4 and 10.2.3)';

/** The wait that `Retry-After` asks for. */
export const retryAfterMs = 1000;

export const callFailures = {
  'token-expired': {
    text: 'the token has expired (401)',
    fault: 'token-expired',
    needsToken: true,
    isRefusal: true,
    allowedBy: words({
      pos: '5. Authentication: a request without valid authorization is answered with 401',
      cohesion: '7. Errors: "401 | token missing or invalid"',
    }),
  },
  refused: {
    text: 'the request is refused',
    fault: { pos: 'status=400', cohesion: 'status=422' },
    isRefusal: true,
    allowedBy: words({ pos: '7. Errors: "400 | invalid request"', cohesion: '7. Errors: "422 | validation failure"' }),
  },
  'rate-limited': {
    text: 'a limit is reached (429, Retry-After: 1)',
    fault: 'rate-limit,retry=1s',
    asksToWait: true,
    most: 3,
    allowedBy: limits,
  },
  error: { text: 'the service fails (500)', fault: 'status=500', isUnclear: true, allowedBy: serverError },
  unavailable: {
    text: 'the service is away for a moment (503, Retry-After: 1)',
    fault: 'status=503,retry=1s',
    asksToWait: true,
    most: 3,
    allowedBy: unavailable,
  },
  down: { text: 'the service stays away (502)', fault: 'status=502', lasts: true, most: 20, allowedBy: serverError },
  'lost-before': {
    text: 'the connection ends before the work is done',
    fault: 'reset',
    isUnclear: true,
    allowedBy: brokenConnection,
  },
  'lost-after': {
    text: 'the connection ends after the work is done',
    fault: 'reset,stage=reply',
    isUnclear: true,
    allowedBy: brokenConnection,
  },
  truncated: {
    text: 'the reply ends in the middle, after the work is done',
    fault: 'truncated',
    isUnclear: true,
    allowedBy: brokenConnection,
  },
  hanging: {
    text: 'the reply does not come for 5 s, after the work is done',
    fault: 'hang=5s,stage=reply',
    isUnclear: true,
    most: 1,
    allowedBy: brokenConnection,
  },
} as const satisfies Record<string, CallFailure>;

/** What can happen to webhooks. `assume`: the harmless change that plays it; without one, a fault of each event does. */
export const webhookFailures = {
  lost: { text: 'the webhook is lost' },
  late: { text: 'webhooks come 2 s late', assume: 'harmless.late-webhooks' },
  twice: { text: 'webhooks come twice', assume: 'harmless.duplicate-webhooks' },
} as const satisfies Record<string, { text: string; assume?: keyof typeof harmlessChanges }>;

export type CallFailureName = keyof typeof callFailures;
export type WebhookFailureName = keyof typeof webhookFailures;
export type FailureName = CallFailureName | WebhookFailureName;

export const callFailureNames = Object.keys(callFailures) as CallFailureName[];
export const webhookFailureNames = Object.keys(webhookFailures) as WebhookFailureName[];

export const failureOf = (name: CallFailureName): CallFailure => callFailures[name];

/** The property that a failure needs to show a damage. Damages that are not listed can be shown by any failure. */
const shownBy: Partial<Record<Damage, keyof CallFailure>> = {
  unkeyed: 'isUnclear',
  'refused-again': 'isRefusal',
  'too-soon': 'asksToWait',
  storm: 'lasts',
};

/** True if a failure can show a damage. */
export function canShow(name: CallFailureName, damage: Damage): boolean {
  const needed = shownBy[damage];
  return needed === undefined || failureOf(name)[needed] === true;
}

export const textOf = (name: FailureName): string => ({ ...callFailures, ...webhookFailures })[name].text;

/** What the gap register says of a question, as the words of a document. */
export function gapWords(id: string): string {
  const { api, section = '', quote = '', choice = '' } = findGap(id) ?? {};
  return `${api ? services[api].documentTitle : ''}, ${section}: ${quote === '' ? 'says nothing' : `"${quote}"`} (gap ${id}: ${choice})`;
}
