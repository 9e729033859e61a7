import { invalid } from '../../base/errors.ts';
import type { Keyring } from '../../base/keyring.ts';
import { redacted } from '../../base/redact.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Credentials } from '../../store/tables/webhooks.ts';
import type { Exchange } from '../sending/exchange.ts';

/** Credentials as the API gets them (null keeps the stored value), or the same with sealed values. */
export interface GivenCredentials {
  headers: Record<string, string | null>;
  basic: { username: string; password: string | null } | null;
}

/** Applies `change` to each value that is not kept. */
function mapped(given: GivenCredentials, change: (value: string) => string): GivenCredentials {
  const orKept = (value: string | null) => value && change(value);
  const headers = Object.fromEntries(Object.entries(given.headers).map(([name, value]) => [name, orKept(value)]));
  return {
    headers,
    basic: given.basic && { ...given.basic, password: orKept(given.basic.password) },
  };
}

export const sealCredentials = (keys: Keyring, given: GivenCredentials): GivenCredentials =>
  mapped(given, (value) => keys.seal(value));

/** Credentials as the API shows them: values are never shown. */
export const viewCredentials = (stored: Credentials | null) =>
  stored && {
    headers: Object.fromEntries(Object.keys(stored.headers).map((name) => [name, null])),
    basic: stored.basic && { ...stored.basic, password: null },
  };

export const maxOwnHeaders = 10;

/** Headers of the request itself, and of one hop. */
const reserved = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'user-agent', 'host', 'traceparent', 'tracestate', 'expect'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-sequence', 'webhook-previous-id'],
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

interface Place {
  /** The stored credentials if they may be sent to the endpoint's URL; otherwise null. */
  stored: Credentials | null;
  signatureHeader: string;
}

/** Checks sealed credentials, and returns what to store. Throws `invalid`. */
export function checkCredentials(given: GivenCredentials, { stored, signatureHeader }: Place): Credentials {
  const names = Object.keys(given.headers);
  if (names.length > maxOwnHeaders)
    throw invalid(
      'credentials.headers',
      'too_many',
      `An endpoint has at most ${maxOwnHeaders} headers of its own, not ${names.length}.`,
    );
  const seen = new Set<string>();
  for (const name of names) {
    checkName(name, { signatureHeader, isBasic: given.basic !== null });
    if (seen.has(name.toLowerCase()))
      throw invalid(
        `credentials.headers.${name}`,
        'repeated',
        `The header ${name} is given twice: names differ by more than case.`,
      );
    seen.add(name.toLowerCase());
  }
  const known = new Map(Object.entries(stored?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = names.map((name) => [name, storedValue(`headers.${name}`, given.headers[name], known.get(name.toLowerCase()))]);
  return {
    headers: Object.fromEntries(headers),
    basic: given.basic && {
      username: given.basic.username,
      password: storedValue('basic.password', given.basic.password, stored?.basic?.password),
    },
  };
}

function storedValue(field: string, given: string | null | undefined, stored: string | undefined): string {
  const value = given ?? stored;
  if (value !== undefined) return value;
  throw invalid(
    `credentials.${field}`,
    'value_missing',
    'null keeps the stored value, and there is none for this URL. Send the value. Values are not kept for another host, so that nobody can have them sent there.',
  );
}

interface NameRules {
  signatureHeader: string;
  /** True if basic authentication already sends the header Authorization. */
  isBasic: boolean;
}

function checkName(name: string, { signatureHeader, isBasic }: NameRules): void {
  const refuse = (rule: string, message: string) => invalid(`credentials.headers.${name}`, rule, message);
  const lower = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(lower))
    throw refuse(
      'header_name',
      `"${name}" is not the name of a header. It has 1 to 100 letters, digits and hyphens, such as X-Api-Key.`,
    );
  if (reserved.has(lower) || lower === signatureHeader.toLowerCase())
    throw refuse(
      'reserved_header',
      `Deliveries have a header ${name} already, or it belongs to the connection. Choose another name.`,
    );
  if (lower === 'authorization' && isBasic)
    throw refuse(
      'reserved_header',
      'This header and Basic authentication send the same header, Authorization. Give one of the two.',
    );
}

/** Credentials that are ready to be sent. */
export interface OpenedCredentials {
  headers: Record<string, string>;
  /** The texts that no record may have. */
  secrets: string[];
}

/** Opens an endpoint's credentials. Throws if another master key sealed them. */
export function openCredentials(keys: Keyring, { credentials }: Pick<Row<'endpoints'>, 'credentials'>): OpenedCredentials | null {
  if (credentials === null) return null;
  const headers = Object.fromEntries(Object.entries(credentials.headers).map(([name, sealed]) => [name, keys.open(sealed)]));
  const secrets = Object.values(headers);
  if (credentials.basic) {
    const password = keys.open(credentials.basic.password);
    const pair = Buffer.from(`${credentials.basic.username}:${password}`).toString('base64');
    headers.authorization = `Basic ${pair}`;
    secrets.push(password, pair);
  }
  return { headers, secrets };
}

/** The headers as records have them. */
export const withoutValues = (headers: Record<string, string>, own: OpenedCredentials): Record<string, string> => ({
  ...headers,
  ...Object.fromEntries(Object.keys(own.headers).map((name) => [name, redacted])),
});

/** Shorter texts are found in other words, and are no secrets. */
const shortestSecret = 6;

/** Removes the credentials from an answer that repeats them. */
export function withoutSecrets(exchange: Exchange, { secrets }: OpenedCredentials): Exchange {
  const long = secrets.filter(({ length }) => length >= shortestSecret);
  const clean = (text: string) => long.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);
  const { error, headers, body } = exchange;
  const cleanHeaders = Object.entries(headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? clean(value) : value.map(clean),
  ]);
  return {
    ...exchange,
    error: error && clean(error),
    headers: headers && Object.fromEntries(cleanHeaders),
    body: body && clean(body),
  };
}
