import { z } from 'zod';
import { unusable } from './error.ts';

/** A Pact Broker, and how to speak to it: a token, or a user name with its password, or neither. */
export interface Broker {
  /** `https://broker.example.com`, without a slash at the end and without credentials. */
  url: string;
  username?: string;
  password?: string;
  token?: string;
  /** Proxies and certificates for pact-cli, which gets nothing else of the environment. */
  environment?: Record<string, string>;
}

export type BrokerOptions = Omit<Broker, 'environment'>;

// As Pact's own tools name them.
const variables = {
  url: 'PACT_BROKER_BASE_URL',
  username: 'PACT_BROKER_USERNAME',
  password: 'PACT_BROKER_PASSWORD',
  token: 'PACT_BROKER_TOKEN',
} as const;

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const passedOn = [...proxies, ...proxies.map((name) => name.toLowerCase()), 'SSL_CERT_FILE', 'SSL_TRUST_STORE', 'SYSTEMROOT'];

const both = 'Take one: unset PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD.';
const optional = z
  .string()
  .optional()
  .transform((value) => value || undefined);
const brokerForm = z
  .object({ url: optional, username: optional, password: optional, token: optional })
  .refine(({ url }) => !url?.includes('@'), `${variables.url} must hold no credentials: give them as PACT_BROKER_TOKEN.`)
  .refine(({ url }) => !url || url.includes('@') || isAddress(url), {
    error: ({ input }) => `${variables.url} is '${(input as BrokerOptions).url}': it must look like https://broker.example.com.`,
  })
  .refine(({ username, token }) => !username || !token, `A broker takes a token, or a user name and its password. ${both}`)
  .refine(({ username, password }) => !password || username, `There is a password, but no user name: set ${variables.username}.`);

function isAddress(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.search === '' && parsed.hash === '';
}

/**
 * The broker that the environment names (PACT_BROKER_BASE_URL, _TOKEN, _USERNAME, _PASSWORD), what is `given` first;
 * undefined where neither names one. Throws a BrokerError `settings` for a wrong value, without showing a secret.
 */
export function brokerFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  given: Partial<BrokerOptions> = {},
): Broker | undefined {
  const names = Object.keys(variables) as (keyof typeof variables)[];
  const parsed = brokerForm.safeParse(Object.fromEntries(names.map((name) => [name, given[name] || env[variables[name]]])));
  if (!parsed.success) throw unusable(parsed.error.issues.map(({ message }) => message).join(' '));
  const { url, ...credentials } = parsed.data;
  if (!url) return undefined;
  const environment = Object.fromEntries(passedOn.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  return { url: url.replace(/\/+$/, ''), ...credentials, environment };
}

/** For what cannot be done without a broker. */
export function requireBroker(broker: Broker | undefined): Broker {
  if (!broker) throw unusable(`No broker is named: set ${variables.url}, such as https://broker.example.com.`);
  return broker;
}
