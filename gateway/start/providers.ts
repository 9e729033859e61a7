import type { Api, App, Services } from '../http/api.ts';

export type ProviderName = 'pos' | 'cohesion';

export interface Mounted {
  name: ProviderName;
  /** Where its paths begin; empty for the root. */
  prefix: string;
}

/** An API that is served, with its part of the manage API. */
export interface Provider {
  prefix: string;
  api: Api;
  /** Loads its routes. */
  backOffice(): Promise<(app: App) => void>;
}

/** Each API is loaded only where it is served. */
const loaded = {
  async pos(services: Services) {
    const { posApi } = await import('../api/pos/api.ts');
    const backOffice = async () => {
      const { posRoutes } = await import('../manage/pos/routes.ts');
      return (app: App) => posRoutes(app, services);
    };
    return { api: posApi(services), backOffice };
  },
  async cohesion(services: Services) {
    const { cohesionApi } = await import('../api/cohesion/api.ts');
    const backOffice = async () => {
      const { cohesionRoutes } = await import('../manage/cohesion/routes.ts');
      return (app: App) => cohesionRoutes(app, services);
    };
    return { api: cohesionApi(services), backOffice };
  },
} satisfies Record<ProviderName, (services: Services) => Promise<Omit<Provider, 'prefix'>>>;

const both: readonly Mounted[] = [
  { name: 'pos', prefix: '/pos' },
  { name: 'cohesion', prefix: '/cohesion' },
];

export function openProviders(services: Services, mounted: readonly Mounted[] = both): Promise<Provider[]> {
  return Promise.all(mounted.map(async ({ name, prefix }) => ({ prefix, ...(await loaded[name](services)) })));
}
