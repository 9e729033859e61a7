import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, named, withInstants } from '../../http/fields.ts';
import { listQuery } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { type Endpoint, type EndpointRules, readEndpoint } from '../../webhooks/endpoints/endpoints.ts';
import { publicKeysOf } from '../../webhooks/endpoints/public-keys.ts';
import type { Audience } from '../audience.ts';
import { endpointTags } from './endpoints.ts';
import { idParams, idText } from './views.ts';

const publicKey = named('PublicKey', {
  id: z.string().describe('The id of the secret that it is rotated with.'),
  public_key: z
    .string()
    .describe('The ed25519 key as Standard Webhooks writes it: `whpk_` and base64.')
    .meta({ example: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=' }),
  valid_from: instant(),
  valid_until: instant().nullable().describe('From then on it signs nothing; null for the newest key.'),
});

/** Where anybody reads the public keys of an endpoint. */
export const publicKeysPath = '/.well-known/passerelle-webhook-keys';

/** How long a cache may keep them. */
const maxAgeSeconds = 300;

type KeyServices = Pick<Services, 'store' | 'keys' | 'clock'>;

function viewPublicKeys({ keys, clock }: KeyServices, endpoint: Endpoint) {
  const found = publicKeysOf(endpoint, keys, clock.now());
  return { data: found.map((one) => withInstants(one, 'valid_from', 'valid_until')) };
}

/** `GET /endpoints/:id/public-keys`. For partners, behind a check that the endpoint is theirs. */
export function publicKeyRoute(app: App, services: Services, _options: EndpointRules, { operation }: Audience): void {
  const route = routesOf(app, endpointTags);
  route('GET /endpoints/:id/public-keys', {
    operationId: operation('listEndpointPublicKeys'),
    summary: 'The public keys that verify the v1a signatures of an endpoint, newest first',
    description: `Anybody reads the same at \`${publicKeysPath}?endpoint=ID\`. They are valid before \`signatures\` is \`v1a\` or \`both\`, and rotate with the secrets.`,
    params: idParams,
    reply: z.object({ data: z.array(publicKey) }),
    handler: async ({ params }) => viewPublicKeys(services, await readEndpoint(services.store, params.id)),
  });
}

/**
 * Serves the public keys of one endpoint to anybody who knows its id. There is no list of all: a receiver that trusted it would
 * accept what another endpoint got, sent on by its owner.
 */
export function servePublicKeys(services: KeyServices) {
  return (app: FastifyInstance): void => {
    (app as unknown as App).get(
      publicKeysPath,
      { config: { recorded: false }, schema: { querystring: listQuery({ endpoint: idText() }) } },
      async ({ query: { endpoint: id } }, reply) => {
        const endpoint = await services.store.get('endpoints', { id, deleted_at: null });
        if (!endpoint) throw notFound('endpoint', `There is no endpoint ${id}. Whoever set it up sees its id on its page.`);
        reply.header('cache-control', `public, max-age=${maxAgeSeconds}`);
        return viewPublicKeys(services, endpoint);
      },
    );
  };
}
