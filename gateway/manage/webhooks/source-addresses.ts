import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { routesOf } from '../../http/routes.ts';
import type { Audience } from '../audience.ts';
import { endpointTags } from './endpoints.ts';

/** `GET /source-addresses`, for operators and partners. */
export function sourceAddressesRoute(
  app: App,
  _services: Services,
  { sourceAddresses = [] }: { sourceAddresses?: readonly string[] },
  { operation }: Audience,
): void {
  const route = routesOf(app, endpointTags);
  route('GET /source-addresses', {
    operationId: operation('listSourceAddresses'),
    summary: 'The addresses that webhooks come from',
    description: 'As the operator lists them; the gateway cannot check them. Empty if the operator lists none.',
    reply: z.object({ data: z.array(z.string().meta({ example: '198.51.100.0/24' })) }),
    handler: async () => ({ data: [...sourceAddresses] }),
  });
}
