import type { ErrorClass, Outcome } from '../../store/tables/webhooks.ts';

export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'success';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** Deliveries to this address are not allowed. */
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

/** Errors that have a name but no code. */
const classOfName: Record<string, ErrorClass> = { TimeoutError: 'timeout', HTTPParserError: 'protocol' };

export interface Failure {
  outcome: ErrorClass;
  error: string;
  /** The IP address that could not be reached; null if the error does not name it. */
  address: string | null;
}

/** Returns the class of an error thrown by undici, Node's net and tls, or the guard. Searches causes and aggregates too. */
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

type NetworkError = Error & { code?: unknown; address?: string; errors?: unknown };

/** Returns inner errors first: they are closer to the cause. */
function unfold(thrown: unknown, depth = 0): NetworkError[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const error: NetworkError = thrown;
  const inner = Array.isArray(error.errors) ? error.errors.flatMap((one) => unfold(one, depth + 1)) : [];
  return [...inner, ...unfold(error.cause, depth + 1), error];
}
