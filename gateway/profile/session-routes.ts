import { z } from 'zod';
import { credentials } from '../api/pos/schemas.ts';
import { unauthorized } from '../base/errors.ts';
import { hashSecret } from '../base/keyring.ts';
import type { App } from '../http/api.ts';
import { instant, text, toInstant } from '../http/fields.ts';
import { sessionOf, sessionRoutes } from '../manage/session-routes.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { partsOf } from '../webhooks/outbox/owners.ts';
import { callerOf, type IdentifiedPartner, type ProfileCaller } from './caller.ts';
import { profileCookie } from './identity.ts';
import type { ProfileServices } from './services.ts';

export const partnerView = z.object({
  owner: z.string().describe('`account:ID` for a point-of-sale account, `user:ID` for a user of social cohesion.'),
  kind: z.enum(['account', 'user']),
  name: z.string(),
  credential: z.enum(['key', 'token', 'link']).describe('What the caller signed in with.'),
  read_only: z.boolean().describe('True for a link that an operator made for reading only.'),
});

const session = partnerView.extend({ expires_at: instant().describe('When the session ends, whether it is used or not.') });

/** The fields of each way to sign in, in the order of the schemas below. */
const ways = [['api_key', 'api_secret'], ['token'], ['link_secret']];
const chooseWay = 'Sign in with `api_key` and `api_secret`, with `token`, or with `link_secret`';

/** Says what is wrong with the way whose fields were sent, if they are of one way. It quotes no value: they are secrets. */
function whatIsWrong(input: unknown, errors: readonly (readonly z.core.$ZodIssue[])[] = []): string {
  const sent = typeof input === 'object' && input !== null ? input : {};
  const chosen = ways.flatMap((fields, index) => (fields.some((field) => Object.hasOwn(sent, field)) ? [index] : []));
  if (chosen.length !== 1) return `must have the fields of one way to sign in. ${chooseWay}`;
  const problems = errors[chosen[0] as number] ?? [];
  return `${problems.map(({ path, message }) => [...path, message].join(' ')).join('; ')}. ${chooseWay}`;
}

const signIn = z
  .union(
    [
      credentials,
      z.strictObject({ token: text(300).describe('A personal access token (social cohesion).') }),
      z.strictObject({ link_secret: text(200).describe('The part of a link after `#link_secret=`. It can be used once.') }),
    ],
    { error: ({ input, errors }) => whatIsWrong(input, errors as z.core.$ZodIssue[][]) },
  )
  .describe('One of: an API key and its secret, an access token, or the secret of a link that an operator made.');

/** Signing in to the profile and signing out. */
export const profileSessionRoutes = (app: App, services: ProfileServices): void =>
  sessionRoutes(app, {
    services,
    table: 'profile_sessions',
    cookie: profileCookie,
    hours: services.sessionHours,
    operations: { open: 'openProfileSession', read: 'readProfileSession', close: 'closeProfileSession' },
    description:
      'Sets the cookie `passerelle_profile`. A change made with the cookie needs the header `x-passerelle-profile` (`1`, or the `owner` whom you expect to be signed in), and must not come from a page of another site. ' +
      'After 10 failed sign-ins with a key, token or link in 15 minutes, further ones with it from that address (an IPv6 /48 counts as one) are refused; after 100, all from that address. ' +
      'A session ends with its credential, when its owner becomes inactive, or after 12 hours.',
    body: signIn,
    shape: session,
    view: (request) => sessionView(callerOf(request)),
    async signIn(body, ip) {
      const find = await partnerWith(services, body, ip);
      return async (tx) => {
        const caller = await find(tx);
        const { owner, credential, readOnly } = caller;
        return { caller, columns: { owner, credential, read_only: readOnly } };
      };
    },
    config: { asksWho: true },
  });

/**
 * Returns a function that finds the partner in the transaction that stores the session. A token is checked before that
 * transaction, through a cache.
 */
async function partnerWith(
  { partners, clock }: Pick<ProfileServices, 'partners' | 'clock'>,
  body: z.output<typeof signIn>,
  ip: string,
): Promise<(tx: Rows) => Promise<IdentifiedPartner>> {
  if ('api_key' in body) return (tx) => partners.withKey(tx, body);
  if ('link_secret' in body) return async (tx) => partners.withLink(tx, await takeLink(tx, body.link_secret, clock.now()));
  const partner = await partners.withToken(body.token, ip);
  return async () => partner;
}

export const viewPartner = ({ owner, name, credential, readOnly }: ProfileCaller): z.input<typeof partnerView> => ({
  owner,
  kind: partsOf(owner).kind,
  name,
  credential: credential.split(':')[0] as 'key',
  read_only: readOnly,
});

const sessionView = (caller: ProfileCaller): z.input<typeof session> => ({
  ...viewPartner(caller),
  expires_at: toInstant(sessionOf(caller).expiresAt),
});

/** Uses up the link with this secret. Throws a 401 that says why it cannot be used. */
async function takeLink(tx: Rows, secret: string, now: number): Promise<Row<'profile_links'>> {
  // The search is by a hash of 256 random bits, so its duration reveals nothing about them. Because of the lock, only one call
  // can use the link.
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
