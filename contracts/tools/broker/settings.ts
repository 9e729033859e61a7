import { z } from 'zod';
import { CouldNotRun } from '../could-not-run.ts';

/** A Pact Broker's address, and its credentials: a token, or a user name with a password, or none. */
export interface Broker {
  /** Such as `https://broker.example.com`: no slash at the end, no credentials. */
  url: string;
  username?: string;
  password?: string;
  token?: string;
}

const oneKind = 'Unset PACT_BROKER_TOKEN, or unset PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD.';
const optional = z
  .string()
  .optional()
  .transform((value) => value || undefined);
const brokerForm = z
  .object({ url: optional, username: optional, password: optional, token: optional })
  .refine(({ url }) => url, 'No broker is named: pass --broker, or set PACT_BROKER_BASE_URL to its address.')
  .refine(({ url }) => !url?.includes('@'), 'The address of the broker must hold no credentials: set PACT_BROKER_TOKEN instead.')
  .refine(({ url }) => !url || url.includes('@') || isAddress(url), {
    error: ({ input }) =>
      `The address of the broker must look like https://broker.example.com, got '${(input as Partial<Broker>).url}'.`,
  })
  .refine(({ username, token }) => !username || !token, `Give the broker a token or a password, not both. ${oneKind}`)
  .refine(({ username, password }) => !password || username, 'PACT_BROKER_PASSWORD needs a user name: set PACT_BROKER_USERNAME.');

function isAddress(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.search === '' && parsed.hash === '';
}

/**
 * Reads the broker from the variables of Pact's own tools: PACT_BROKER_BASE_URL (or `address`, which wins),
 * PACT_BROKER_TOKEN, PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD. Throws `CouldNotRun`; the message holds no secret.
 */
export function readBroker(env: Readonly<Record<string, string | undefined>>, address?: string): Broker {
  const parsed = brokerForm.safeParse({
    url: address || env.PACT_BROKER_BASE_URL,
    username: env.PACT_BROKER_USERNAME,
    password: env.PACT_BROKER_PASSWORD,
    token: env.PACT_BROKER_TOKEN,
  });
  if (!parsed.success) throw new CouldNotRun(parsed.error.issues.map(({ message }) => message).join(' '));
  const { url = '', ...credentials } = parsed.data;
  return { url: url.replace(/\/+$/, ''), ...credentials };
}
