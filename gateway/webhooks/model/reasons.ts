import type { ErrorClass, ManualReason, SkipReason } from '../../store/tables/webhooks.ts';

interface Reason {
  /** A few words, for a list. */
  title: string;
  /** What happened, as a sentence. */
  meaning: string;
  /** What an operator or the receiver's developer can do about it. */
  advice: string | null;
}

/** Why an attempt failed. */
export const errorClasses = {
  dns: {
    title: 'No address for the host',
    meaning: 'The name in the URL could not be resolved.',
    advice: "The endpoint's host name has no address. Check the URL's spelling and the receiver's DNS.",
  },
  connect: {
    title: 'No connection',
    meaning: 'The address refused the connection, or no route leads to it.',
    advice: 'No connection could be made. Check that the receiver runs, and that a firewall lets the gateway in.',
  },
  tls: {
    title: 'TLS failed',
    meaning: "The connection was made, and the receiver's certificate or TLS version was not accepted.",
    advice:
      "The receiver's certificate or TLS version was not accepted. Renew the certificate, send its whole chain, and offer TLS 1.2 or newer.",
  },
  timeout: {
    title: 'Too slow',
    meaning: 'The deadline for the whole exchange passed before the answer was complete.',
    advice: 'The receiver did not finish its answer before the deadline. Answer at once, and do the work afterwards.',
  },
  reset: {
    title: 'Connection broke off',
    meaning: 'The connection ended after it was made and before the answer was complete.',
    advice:
      'The receiver closed the connection in the middle. Check its log for a crash, and the limits of a proxy in front of it.',
  },
  status: {
    title: 'Refused by the receiver',
    meaning: 'An answer came whose status is no success, such as 401 or 500.',
    advice: 'The receiver answered with another status than 2xx. Its answer, recorded here, may say why.',
  },
  redirect: {
    title: 'Redirected',
    meaning: 'The receiver answered with a status from 300 to 399.',
    advice: "The receiver answered with a redirect, which is never followed. Set the endpoint's URL to the final address.",
  },
  gone: {
    title: 'Gone (410)',
    meaning: 'The receiver said that it wants no deliveries any more.',
    advice: 'The receiver answered 410 Gone, so the endpoint was disabled. Activate it again when the receiver wants deliveries.',
  },
  blocked_address: {
    title: 'Address not allowed',
    meaning: 'Deliveries go to public https addresses only, and this one is not; nothing was sent.',
    advice:
      "The endpoint's address is private, loopback or otherwise not public, or its URL is not https. Use a public https address.",
  },
  response_too_large: {
    title: 'Too many headers',
    meaning: 'The headers of the answer are longer than the gateway reads.',
    advice: 'The answer had more headers than the gateway reads. Answer with less.',
  },
  protocol: {
    title: 'No valid HTTP',
    meaning: 'What came back could not be read as an HTTP answer.',
    advice: 'The answer was not valid HTTP. Check that the URL leads to a web server.',
  },
  secret_unreadable: {
    title: 'Secret unreadable',
    meaning: 'The delivery could not be signed, so nothing was sent.',
    advice:
      "The endpoint's signing secret cannot be decrypted: the master key is another one than when it was made. Restore the key, or rotate the secret.",
  },
  unknown: {
    title: 'Other error',
    meaning: 'An error that fits none of the other classes.',
    advice: 'The attempt failed in a way that has no class of its own. The error text says more.',
  },
} as const satisfies Record<ErrorClass, Reason>;

/** Why a delivery was skipped. */
export const skipReasons = {
  endpoint_disabled: {
    title: 'Endpoint not active',
    meaning: 'Its endpoint was not active when the delivery was due.',
    advice:
      'Activate the endpoint, then send again what it missed: this delivery by its resend, many by a recovery of those skipped.',
  },
  endpoint_deleted: {
    title: 'Endpoint deleted',
    meaning: 'Its endpoint was deleted before the delivery was made.',
    advice: 'Nothing is sent to a deleted endpoint. Make a new one if the receiver still wants its events.',
  },
  event_missing: {
    title: 'Event not kept',
    meaning: 'Its event, and with it the body to send, was not kept any more.',
    advice: 'It cannot be sent again. Keep events for longer (DELIVERY_RETENTION_HOURS) where receivers are away for long.',
  },
} as const satisfies Record<SkipReason, Reason>;

/** Of a pending delivery: an operator asked for the next attempt. */
export const operatorReasons = {
  resend: {
    title: 'Sent again',
    meaning: 'An operator asked for one attempt more of a delivery that was finished.',
    advice: null,
  },
  brought_forward: {
    title: 'Brought forward',
    meaning: 'An operator asked for the next attempt now; the schedule goes on after it.',
    advice: null,
  },
  recover: {
    title: 'Recovered',
    meaning: 'A recovery of many deliveries sends it once more.',
    advice: null,
  },
} as const satisfies Record<ManualReason, Reason>;

export const reasonKinds = ['error', 'skipped', 'operator'] as const;

const registers: Record<(typeof reasonKinds)[number], Record<string, Reason>> = {
  error: errorClasses,
  skipped: skipReasons,
  operator: operatorReasons,
};

/** Everything that can stand in a delivery's `reason`. */
export const reasons = reasonKinds.flatMap((kind) =>
  Object.entries(registers[kind]).map(([reason, words]) => ({ reason, kind, ...words })),
);

const advices = new Map(reasons.map(({ reason, advice }) => [reason, advice]));

/** What to do about a reason or an outcome, as a sentence; null where there is nothing to do, as about a success. */
export const adviceOn = (reason: string): string | null => advices.get(reason) ?? null;
