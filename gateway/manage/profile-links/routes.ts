import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, named, text, withInstants } from '../../http/fields.ts';
import { pageOf, pagesOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { callerOf } from '../operators/identity.ts';
import { refuseUnknownOwner } from '../partners.ts';
import { ownerField, ownerFilter } from '../webhooks/views.ts';
import { createLink, revokeLink } from './links.ts';

const tags = ['Profile links'];

/** The end of a link's URL, before the secret. A fragment is not sent to servers, so no log or record has it. */
const linkPath = '/profile#link_secret=';

const longestMinutes = 7 * 24 * 60;

const newLink = z.strictObject({
  owner: ownerField.describe('`account:ID` or `user:ID`.'),
  expires_in_minutes: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(longestMinutes, `must be at most ${longestMinutes}, which is 7 days`)
    .default(60)
    .describe('How long the link can be used. Its session lasts for 12 hours from then on.'),
  read_only: z.boolean().default(false).describe('True: the session is refused every change.'),
});

const link = named('ProfileLink', {
  id: z.string(),
  owner: z.string(),
  read_only: z.boolean(),
  created_by: z.string().describe("The operator's name."),
  created_at: instant(),
  expires_at: instant().describe('When it stopped or stops opening a session. A revoked link ends at once.'),
  used_at: instant().nullable(),
});

const params = z.strictObject({ id: text(100) });

/** Links with which partners sign in to their profile. `publicUrl` is the gateway's address, if the settings have it. */
export function profileLinkRoutes(app: App, services: Services, publicUrl: string | undefined): void {
  const route = routesOf(app, tags);
  route('GET /profile-links', {
    operationId: 'listProfileLinks',
    summary: 'Links to profiles, newest first',
    description: 'Links that expired a day ago are removed.',
    querystring: z.strictObject({ ...pagesOf('lnk'), owner: ownerFilter }),
    reply: pageOf(link),
    handler: async ({ query }) => {
      await refuseUnknownOwner(services.store, query.owner);
      return readPage(services.store, 'profile_links', query, view);
    },
  });
  route('POST /profile-links', {
    operationId: 'createProfileLink',
    summary: "Make a link to a partner's profile",
    description: 'It opens one session, and can be used once. Send it to the partner only: whoever opens it first is signed in.',
    body: newLink,
    created: link.extend({ url: z.string().describe('Shown only in this reply.') }),
    handler: async (request) => {
      const { owner, read_only: readOnly, expires_in_minutes: minutes } = request.body;
      const input = { owner, readOnly, lifetimeMs: minutes * 60_000, createdBy: callerOf(request).name };
      const made = await services.change((change) => createLink(change, input));
      const base = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`;
      return { ...view(made.link), url: `${base}${linkPath}${made.secret}` };
    },
  });
  route('DELETE /profile-links/:id', {
    operationId: 'revokeProfileLink',
    summary: 'Revoke a link, and end the session that it opened',
    params,
    data: link,
    handler: async ({ params: { id } }) => view(await services.change((change) => revokeLink(change, id))),
  });
}

const view = ({ secret_hash: _, ...row }: Row<'profile_links'>): z.input<typeof link> =>
  withInstants(row, 'created_at', 'expires_at', 'used_at');
