import type { Api, App, Services } from './http/api.ts';

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
  backOffice(app: App): void;
}

/** Each API is loaded only where it is served. */
const loaded = {
  async pos(services: Services) {
    const [{ posApi }, { posRoutes }] = await Promise.all([import('./api/pos/api.ts'), import('./manage/pos.ts')]);
    return { api: posApi(services), backOffice: (app: App) => posRoutes(app, services) };
  },
  async cohesion(services: Services) {
    const [{ cohesionApi }, { cohesionRoutes }] = await Promise.all([
      import('./api/cohesion/api.ts'),
      import('./manage/cohesion.ts'),
    ]);
    return { api: cohesionApi(services), backOffice: (app: App) => cohesionRoutes(app, services) };
  },
} satisfies Record<ProviderName, (services: Services) => Promise<Omit<Provider, 'prefix'>>>;

const both: readonly Mounted[] = [
  { name: 'pos', prefix: '/pos' },
  { name: 'cohesion', prefix: '/cohesion' },
];

export function openProviders(services: Services, mounted: readonly Mounted[] = both): Promise<Provider[]> {
  return Promise.all(mounted.map(async ({ name, prefix }) => ({ prefix, ...(await loaded[name](services)) })));
}
