import { fill } from '../../base/template.ts';
import type { ErrorClass, ManualReason, SkipReason } from '../../store/tables/webhooks.ts';

/** `{status}` is the status of the response. */
interface Reason {
  /** A few words for a list. */
  title: string;
  /** A sentence that says what happened. */
  meaning: string;
  /** What the operator or the receiver's developer can do; null if nothing is wrong. */
  advice: string | null;
}

/** The classes of failed attempts. */
export const errorClasses = {
  dns: {
    title: 'Host not found',
    meaning: 'The host name in the URL could not be resolved.',
    advice: "The endpoint's host name has no address. Check the spelling of the URL and the receiver's DNS.",
  },
  connect: {
    title: 'No connection',
    meaning: 'The connection was refused, or the address is unreachable.',
    advice: 'No connection could be opened. Check that the receiver is running and that its firewall accepts the gateway.',
  },
  tls: {
    title: 'TLS failed',
    meaning: "The receiver's certificate or TLS version was not accepted.",
    advice:
      "The receiver's certificate or TLS version was not accepted. Renew the certificate, send the whole chain, and support TLS 1.2 or newer.",
  },
  timeout: {
    title: 'Timeout',
    meaning: 'The response was not complete before the deadline.',
    advice: 'The receiver did not finish its response before the deadline. Respond first, then do the work.',
  },
  reset: {
    title: 'Connection lost',
    meaning: 'The connection was closed before the response was complete.',
    advice:
      'The connection was closed before the response was complete. Check the receiver for a crash, and the limits of any proxy in front of it.',
  },
  status: {
    title: 'Answered {status}',
    meaning: 'The receiver answered {status}.',
    advice: 'The receiver answered {status}. The recorded response may say why.',
  },
  redirect: {
    title: 'Redirected ({status})',
    meaning: 'The receiver answered {status}, a redirect.',
    advice:
      "The receiver answered {status}, a redirect. Redirects are never followed: set the endpoint's URL to the final address.",
  },
  gone: {
    title: 'Gone (410)',
    meaning: 'The receiver wants no more deliveries.',
    advice:
      'The receiver answered 410 Gone, so its endpoint was disabled. Activate the endpoint when the receiver wants deliveries again.',
  },
  blocked_address: {
    title: 'Address not allowed',
    meaning: 'Nothing was sent: deliveries go only to public addresses, over https.',
    advice: "The endpoint's address is not public, or its URL is not https. Use an https URL at a public address.",
  },
  response_too_large: {
    title: 'Headers too large',
    meaning: 'The headers of the response are too large.',
    advice: 'The headers of the response are larger than the gateway reads. Respond with fewer or shorter headers.',
  },
  protocol: {
    title: 'Invalid HTTP',
    meaning: 'The response was not valid HTTP.',
    advice: 'The response was not valid HTTP. Check that the URL leads to a web server.',
  },
  secret_unreadable: {
    title: 'Secret unreadable',
    meaning: 'Nothing was sent, because the delivery could not be signed.',
    advice:
      "The endpoint's signing secret cannot be decrypted, because the master key has changed. Restore the old key, or rotate the secret.",
  },
  unknown: {
    title: 'Other error',
    meaning: 'The attempt failed with an error of no known class.',
    advice: 'The attempt failed with an error of no known class. See the error message.',
  },
} as const satisfies Record<ErrorClass, Reason>;

/** Why a delivery was skipped. */
const skipReasons = {
  endpoint_disabled: {
    title: 'Endpoint paused or disabled',
    meaning: 'The endpoint was paused or disabled when the delivery was due.',
    advice: 'Resume the endpoint, which activates it. Then resend this delivery, or recover all skipped ones.',
  },
  endpoint_deleted: {
    title: 'Endpoint deleted',
    meaning: 'The endpoint was deleted before the delivery was sent.',
    advice: 'Nothing is sent to a deleted endpoint. Create a new one if the receiver still wants its events.',
  },
  endpoint_unverified: {
    title: 'Endpoint not verified',
    meaning: "The endpoint's URL had changed, and its owner had not verified the new one when the delivery was due.",
    advice: 'Verify the endpoint. Then resend this delivery, or recover all skipped ones.',
  },
  owner_inactive: {
    title: 'Owner inactive',
    meaning: 'The account or user to which the endpoint belongs was inactive when the delivery was due.',
    advice: 'Activate the owner, which activates its endpoints. Then resend this delivery, or recover all skipped ones.',
  },
  not_visible: {
    title: 'Not visible to the owner',
    meaning: "The event's store or structure had left the perimeter of the endpoint's owner when the delivery was due.",
    advice: 'Nothing, if the perimeter is right. Otherwise widen it, then resend this delivery.',
  },
  event_missing: {
    title: 'Event deleted',
    meaning: 'The event was deleted by retention, and with it the body to send.',
    advice:
      'The delivery cannot be sent any more. If receivers are unavailable for a long time, keep events longer (DELIVERY_RETENTION_HOURS).',
  },
  lost: {
    title: 'Lost by a fault',
    meaning: 'A fault of the stub lost the webhook, as a service does that accepts a call and never sends its webhook.',
    advice: 'Resend this delivery, or remove the fault.',
  },
} as const satisfies Record<SkipReason, Reason>;

/** Why a pending delivery is attempted: an operator or the owner of the endpoint asked for it. */
export const operatorReasons = {
  resend: {
    title: 'Resent',
    meaning: 'One more attempt of a finished delivery was requested.',
    advice: null,
  },
  brought_forward: {
    title: 'Brought forward',
    meaning: 'The next attempt was requested for now. The schedule continues after it.',
    advice: null,
  },
  recover: {
    title: 'Recovered',
    meaning: 'A recovery resends this delivery.',
    advice: null,
  },
  retry_now: {
    title: 'Retried now',
    meaning: 'A recovery asked for the next attempt now. The schedule continues after it.',
    advice: null,
  },
  secret_test: {
    title: 'Tests the new secret',
    meaning: 'A test event that only the newest secret signs.',
    advice: null,
  },
  verification: {
    title: 'Verifies the endpoint',
    meaning: 'A test event for an endpoint that is not verified yet. It gets one attempt.',
    advice: null,
  },
} as const satisfies Record<ManualReason, Reason>;

export const reasonKinds = ['error', 'skipped', 'operator'] as const;

const reasonsOfKind: Record<(typeof reasonKinds)[number], Record<string, Reason>> = {
  error: errorClasses,
  skipped: skipReasons,
  operator: operatorReasons,
};

/** Every value of a delivery's `reason`, with the texts in which `{status}` has its place. */
export const reasonTexts = reasonKinds.flatMap((kind) =>
  Object.entries(reasonsOfKind[kind]).map(([reason, words]) => ({ reason, kind, ...words })),
);

const anyStatus: Readonly<Record<string, string>> = { status: '4xx/5xx', redirect: '3xx' };
/** Puts the status of a response into a text of a reason; null is any status. */
export const withStatus = (text: string, reason: string, status: number | null) =>
  fill(text, { status: status ?? anyStatus[reason] ?? '' });

/** The same with the words for any status. */
export const reasons = reasonTexts.map(({ title, meaning, advice, ...one }) => ({
  ...one,
  title: withStatus(title, one.reason, null),
  meaning: withStatus(meaning, one.reason, null),
  advice: advice && withStatus(advice, one.reason, null),
}));

const adviceOf = new Map(reasonTexts.map(({ reason, advice }) => [reason, advice]));

/** Returns a sentence on what to do about a reason or an outcome; null if nothing is wrong. */
export function adviceOn(reason: string, status: number | null = null): string | null {
  const advice = adviceOf.get(reason);
  return advice ? withStatus(advice, reason, status) : null;
}
