import type { Credentials, ServiceName } from '../credentials.ts';
import type { Assumptions } from './assumptions.ts';

/** Returns the credentials as clients send them under the active alternatives. */
export function shownCredentials<A extends ServiceName>(credentials: Credentials[A], { live }: Assumptions): Credentials[A] {
  if (live === undefined || !('tokens' in credentials)) return credentials;
  const { token, tokens, ...others } = credentials;
  const shown = {
    ...others,
    token: live.shownToken(token),
    tokens: tokens.map((one) => ({ ...one, token: live.shownToken(one.token) })),
  };
  return shown as Credentials[A];
}
