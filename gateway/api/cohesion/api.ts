import type { Api, App, Services } from '../../http/api.ts';
import { tokenUseOf } from './domain/token-use.ts';
import { errorBody, statusOfRefusal } from './errors.ts';
import { cohesionEvents } from './events.ts';
import { cohesionGaps } from './gaps.ts';
import { Identities } from './identity.ts';
import { cohesionRoutes } from './routes.ts';

/** The Social-Cohesion Management API (`spec/social-cohesion.md`). */
export function cohesionApi(services: Services): Api {
  const identities = new Identities(services);
  const tokenUse = tokenUseOf(services);
  return {
    name: 'cohesion',
    document: {
      title: 'Social-Cohesion Management API',
      version: '1.0.0',
      description:
        'Read access to indicators, interventions, structures and aggregated statistics; write access to external financings, within the perimeter of the token. ' +
        'Send `Authorization: Bearer <token>`. Every call is served live. Errors are `{ message, errors }`, with the messages of each field in `errors`.',
    },
    events: cohesionEvents,
    gaps: cohesionGaps,
    identify: (request) => identities.identify(request),
    limits: [],
    status: statusOfRefusal,
    errorBody,
    routes(app: App) {
      app.addHook('onClose', () => tokenUse.close());
      cohesionRoutes(app, services);
    },
    flush: () => tokenUse.flush(),
  };
}
