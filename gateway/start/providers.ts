import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import type { MobileMoney } from '../api/pos/domain/mobile-money.ts';
import type { Api, BackOffice, Services } from '../http/api.ts';

export interface Mounted {
  name: ServiceName;
  /** The prefix of its paths; '' is the root. */
  prefix: string;
  /** Who confirms payments of pos. Default: each is received at once. */
  mobileMoney?: MobileMoney | undefined;
}

/** An API that is served, with its routes in the manage API. */
export interface Provider {
  prefix: string;
  api: Api;
  /** Loads its back office: its routes in the manage API. */
  backOffice(): Promise<BackOffice>;
}

/** Loads an API. A stub loads only the one that it serves. */
const open = {
  async pos(services: Services, { mobileMoney }: Pick<Mounted, 'mobileMoney'>) {
    const { posApi } = await import('../api/pos/api.ts');
    return {
      api: posApi(services, mobileMoney),
      backOffice: async () => (await import('../manage/pos/routes.ts')).posRoutes,
    };
  },
  async cohesion(services: Services) {
    const { cohesionApi } = await import('../api/cohesion/api.ts');
    return {
      api: cohesionApi(services),
      backOffice: async () => (await import('../manage/cohesion/routes.ts')).cohesionRoutes,
    };
  },
} satisfies Record<ServiceName, (services: Services, mounted: Mounted) => Promise<Omit<Provider, 'prefix'>>>;

/** Opens one API, to be served under `prefix`. */
export const openProvider = async (services: Services, mounted: Mounted): Promise<Provider> => ({
  prefix: mounted.prefix,
  ...(await open[mounted.name](services, mounted)),
});

export const openProviders = (services: Services): Promise<Provider[]> =>
  Promise.all(serviceNames.map((name) => openProvider(services, { name, prefix: `/${name}` })));
