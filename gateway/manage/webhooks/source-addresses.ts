import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SourceAddress } from '../../base/source-addresses.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, named, withInstants } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import type { Audience } from '../audience.ts';
import { endpointTags } from './endpoints.ts';

const sourceAddress = named('SourceAddress', {
  address: z.string().describe('An IP address, or a network.').meta({ example: '198.51.100.0/24' }),
  valid_from: instant().nullable().describe('When webhooks may come from it first; null if they do already.'),
  valid_until: instant().nullable().describe('From then on none comes from it; null if its end is not known.'),
});

/** Where anybody reads from which addresses webhooks come. */
export const sourceAddressesPath = '/.well-known/passerelle-webhook-sources';

/** How long a cache may keep them. */
const maxAgeSeconds = 300;

const view = (sources: readonly SourceAddress[]) => ({
  data: sources.map((one) => withInstants(one, 'valid_from', 'valid_until')),
});

/** `GET /source-addresses`, for operators and partners. */
export function sourceAddressesRoute(
  app: App,
  _services: Services,
  { sourceAddresses = [] }: { sourceAddresses?: readonly SourceAddress[] },
  { operation }: Audience,
): void {
  const route = routesOf(app, endpointTags);
  route('GET /source-addresses', {
    operationId: operation('listSourceAddresses'),
    summary: 'The addresses that webhooks come from, with the days from and until which they are used',
    description: `The operator lists them; the gateway cannot check them. Empty if the operator lists none. Anybody reads the same at \`${sourceAddressesPath}\`.`,
    reply: z.object({ data: z.array(sourceAddress) }),
    handler: async () => view(sourceAddresses),
  });
}

/** Serves them to anybody: firewalls are often changed by programs. */
export const serveSourceAddresses =
  (sources: readonly SourceAddress[]) =>
  (app: FastifyInstance): void => {
    app.get(sourceAddressesPath, { config: { recorded: false } }, async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${maxAgeSeconds}`);
      return view(sources);
    });
  };
