import { unauthorized } from '../base/errors.ts';
import { hashSecret } from '../base/keyring.ts';
import { toInstant } from '../http/fields.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/** Uses up the link with this secret. Throws a 401 that says why it cannot be used. */
export async function takeLink(tx: Rows, secret: string, now: number): Promise<Row<'profile_links'>> {
  // The search is by a hash of 256 random bits, so its duration reveals nothing about them. The lock lets one call use it.
  const link = await tx.get('profile_links', { secret_hash: hashSecret(secret) }, { lock: true });
  if (!link) throw unauthorized('link_unknown', `There is no link with this secret. ${askAgain}`);
  if (link.used_at !== null)
    throw unauthorized('link_used', `This link was used at ${toInstant(link.used_at)}, and can be used once. ${askAgain}`);
  if (link.expires_at <= now)
    throw unauthorized('link_expired', `This link expired at ${toInstant(link.expires_at)}. ${askAgain}`);
  await tx.update('profile_links', { id: link.id }, { used_at: now });
  return link;
}

const askAgain = 'Ask the operator for another one.';
