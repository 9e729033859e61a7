import { redacted } from '../../base/redact.ts';
import type { OAuth2Client } from '../../store/tables/webhooks.ts';
import type { Exchange } from './exchange.ts';
import { outcomeOf } from './outcome.ts';

/** Returns the request for an access token with client credentials (RFC 6749, sections 4.4.2 and 2.3.1). */
export function tokenRequest({ client_id, client_secret, scope, audience, client_auth }: OAuth2Client) {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': 'Passerelle',
  };
  if (client_auth === 'basic') {
    const pair = [client_id, client_secret].map(formEncoded).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', client_id);
    form.set('client_secret', client_secret);
  }
  if (scope !== null) form.set('scope', scope);
  if (audience !== null) form.set('audience', audience);
  return { headers, body: form.toString() };
}

const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

/** `lifetimeMs` is null if the token server does not say it. */
export type TokenReply = { value: string; lifetimeMs: number | null } | { error: string };

/** Returns the token of a reply (RFC 6749, section 5.1), or why there is none. The error has no secrets. */
export function tokenIn(exchange: Exchange, secret: string): TokenReply {
  const { outcome, status, error, truncated, body } = exchange;
  if (status === null || outcome !== outcomeOf(status)) return { error: `The token server did not answer: ${error}` };
  if (truncated) return { error: `The token server answered ${status} with more than it may.` };
  const fields = fieldsIn(body ?? '');
  if (outcome === 'redirect')
    return {
      error: `The token server answered ${status}, a redirect. Redirects are not followed: the token URL must be the final address.`,
    };
  if (outcome !== 'success') {
    const said = [fields?.error, fields?.error_description].filter((one) => typeof one === 'string').join(': ');
    const says = said.replaceAll(secret, redacted).slice(0, 200);
    return { error: `The token server answered ${status}${says && ` (${says})`}.` };
  }
  if (!fields) return { error: `The token server answered ${status} without a JSON object.` };
  const { access_token: value, token_type: type, expires_in } = fields;
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(value))
    return { error: 'The token server answered without an access_token of visible ASCII characters.' };
  if (String(type).toLowerCase() !== 'bearer')
    return { error: `The token server gave a token of the type ${JSON.stringify(type)?.slice(0, 40)}, and not a bearer token.` };
  const seconds = Number(expires_in ?? Number.NaN);
  return { value, lifetimeMs: seconds >= 0 && seconds < maxSeconds ? Math.trunc(seconds * 1000) : null };
}

/** Longer lifetimes are as good as none. */
const maxSeconds = 1e9;

function fieldsIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
