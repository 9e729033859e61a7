/** The classes of failure, each with what an operator or the receiver's developer can do about it. */
export const errorClasses = {
  dns: "The endpoint's host name has no address. Check the URL's spelling and the receiver's DNS.",
  connect: 'No connection could be made. Check that the receiver runs, and that a firewall lets the gateway in.',
  tls: "The receiver's certificate or TLS version was not accepted. Renew the certificate, send its whole chain, and offer TLS 1.2 or newer.",
  timeout: 'The receiver did not finish its answer before the deadline. Answer at once, and do the work afterwards.',
  reset: 'The receiver closed the connection in the middle. Check its log for a crash, and the limits of a proxy in front of it.',
  status: 'The receiver answered with another status than 2xx. Its answer, recorded here, may say why.',
  redirect: "The receiver answered with a redirect, which is never followed. Set the endpoint's URL to the final address.",
  gone: 'The receiver answered 410 Gone, so the endpoint was disabled. Activate it again when the receiver wants deliveries.',
  blocked_address:
    "The endpoint's address is private, loopback or otherwise not public, or its URL is not https. Use a public https address.",
  response_too_large: 'The answer had more headers than the gateway reads. Answer with less.',
  protocol: 'The answer was not valid HTTP. Check that the URL leads to a web server.',
  secret_unreadable:
    "The endpoint's signing secret cannot be decrypted: the master key is another one than when it was made. Restore the key, or rotate the secret.",
  unknown: 'The attempt failed in a way that has no class of its own. The error text says more.',
} as const;

export type ErrorClass = keyof typeof errorClasses;
export type Outcome = 'success' | ErrorClass;

/** What to do about an outcome, as a sentence; null for a success. */
export function adviceOn(outcome: string): string | null {
  return errorClasses[outcome as ErrorClass] ?? null;
}

/** The outcome that an answer's status means. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'success';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** The address is not one that deliveries may go to. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  readonly code = 'BLOCKED_ADDRESS';
  readonly address: string;

  constructor(address: string, why: string) {
    super(`${address} is blocked: ${why}`);
    this.address = address;
  }
}

const classOfCode: readonly (readonly [RegExp, ErrorClass])[] = [
  [/^BLOCKED_ADDRESS$/, 'blocked_address'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED|EBADNAME|EBADRESP)$/, 'dns'],
  [/^(ETIMEDOUT|ETIMEOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE)$/, 'response_too_large'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EINVAL)$/, 'connect'],
  [
    /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|UNABLE_TO_\w+|EPROTO|\w*SELF_SIGNED\w*|HOSTNAME_MISMATCH|INVALID_CA|ERR_OSSL_\w+)$/,
    'tls',
  ],
  [/^(HPE_\w+|UND_ERR_(RESPONSE|RES_CONTENT_LENGTH_MISMATCH))$/, 'protocol'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED)$/, 'reset'],
];

/** Errors that have a name and no code of their own. */
const classOfName: Record<string, ErrorClass> = { TimeoutError: 'timeout', HTTPParserError: 'protocol' };

export interface Failure {
  outcome: ErrorClass;
  /** The error's own words. */
  error: string;
  /** The address that it concerns, where the error knows it. */
  address: string | null;
}

/** The class of an error that undici, Node's net and tls, or the guard gave. Looks through causes and aggregates. */
export function classify(thrown: unknown): Failure {
  const chain = unfold(thrown);
  const address = chain.map((error) => error.address).find((value) => typeof value === 'string') ?? null;
  for (const { name, code, message } of chain) {
    const known = classOfCode.find(([codes]) => codes.test(String(code ?? '')));
    if (known) return { outcome: known[1], error: message || String(code), address };
    const named = classOfName[name];
    if (named) return { outcome: named, error: message, address };
  }
  return { outcome: 'unknown', error: chain[0]?.message || String(thrown), address };
}

type Known = Error & { code?: unknown; address?: string; errors?: unknown };

/** The errors inside come first: they are nearer to what happened. */
function unfold(thrown: unknown, depth = 0): Known[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const error: Known = thrown;
  const inner = Array.isArray(error.errors) ? error.errors.flatMap((one) => unfold(one, depth + 1)) : [];
  return [...inner, ...unfold(error.cause, depth + 1), error];
}
