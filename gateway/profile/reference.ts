import { z } from 'zod';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import { defined, type KnownValues } from '../../spec/openapi/example.ts';
import { exampleValues as ofCohesion } from '../api/cohesion/domain/example-values.ts';
import { exampleValues as ofPos } from '../api/pos/domain/example-values.ts';
import { hasExpired } from '../api/pos/domain/keys.ts';
import type { App } from '../http/api.ts';
import { toInstant } from '../http/fields.ts';
import { routesOf } from '../http/routes.ts';
import { newToken } from '../manage/cohesion/token-shapes.ts';
import { abilityNames } from '../store/tables/cohesion.ts';
import { partsOf, serviceOf } from '../webhooks/outbox/owners.ts';
import { callerOf, type ProfileCaller } from './caller.ts';
import type { ProfileServices } from './services.ts';

/** Returns an API's OpenAPI document for the reference page, with examples of these values. */
export type Reference = (api: ServiceName, known: KnownValues) => Promise<unknown>;

const reference = z.object({
  api: z.enum(serviceNames).describe('The name of your API at `/docs`.'),
  document: z.unknown().describe('Its OpenAPI document. The examples of requests have ids of your own, and no secret.'),
  new_token: newToken
    .nullable()
    .describe(
      'For users: the body of `createProfileToken` for a token that may do what you may, for 8 hours. Null for an account.',
    ),
});

const tokenMs = 8 * 3_600_000;

/** What `/docs` fills in for a partner. */
export function referenceRoutes(app: App, services: ProfileServices, referenceOf: Reference): void {
  const route = routesOf(app, ['Profile']);
  route('GET /reference', {
    operationId: 'readProfileReference',
    summary: 'The reference of your API, with requests that work with your own ids',
    description:
      '`/docs` shows it to a signed-in partner. A value that you have not (such as a sale to be paid) is a made-up one.',
    data: reference,
    handler: async (request) => {
      const caller = callerOf(request);
      const api = serviceOf(caller.owner);
      const document = await referenceOf(api, await finders[api](services, caller));
      return { api, document, new_token: api === 'cohesion' ? newTokenFor(caller, services.clock.now()) : null } as const;
    },
  });
}

type Parts = Pick<ProfileServices, 'store' | 'clock'>;

const finders: Readonly<Record<ServiceName, (parts: Parts, caller: ProfileCaller) => Promise<KnownValues>>> = {
  async pos({ store, clock }, { owner, credential }) {
    const { id: accountId } = partsOf(owner);
    const account = await store.get('accounts', { id: accountId });
    const keys = await store.list('api_keys', { where: { account_id: accountId, revoked_at: null } });
    const usable = keys.filter(({ expires_at }) => !hasExpired(expires_at, clock.now()));
    const key = usable.find(({ id }) => credential === `key:${id}`) ?? usable.at(-1);
    // The secret is not stored: only a hash of it is.
    const values = { api_key: key?.id, api_secret: 'YOUR_API_SECRET' };
    return defined({ ...values, ...(await ofPos(store, { accountId, storeIds: account?.store_ids ?? [] })) });
  },
  async cohesion({ store }, { owner, token }) {
    const user = await store.get('users', { id: Number(partsOf(owner).id) });
    const values = await ofCohesion(store, perimeterOf(user?.structure_ids ?? null, token?.structure_ids ?? null));
    // Only who may use a financing learns its id.
    if (token && !token.abilities.includes('write:financements')) values['/api/v1/financements/{id}'] = undefined;
    return defined(values);
  },
};

/** The structures in both perimeters; null means all. */
const perimeterOf = (user: readonly number[] | null, token: readonly number[] | null) =>
  user === null || token === null ? (user ?? token) : token.filter((id) => user.includes(id));

/** The new token may do no more than the token of the call. */
const newTokenFor = ({ token }: ProfileCaller, now: number): z.output<typeof newToken> => ({
  name: 'API reference',
  abilities: [...(token?.abilities ?? abilityNames)],
  structure_ids: token?.structure_ids ?? null,
  expires_at: toInstant(Math.min(now + tokenMs, token?.expires_at ?? Number.POSITIVE_INFINITY)),
});
