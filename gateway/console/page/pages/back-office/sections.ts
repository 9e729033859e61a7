import type { ServiceName } from '../../lib/services.ts';
import type { Resource } from '../../parts/resource/resource.ts';
import { accounts } from './resources/accounts.tsx';
import { financings, indicators, structures } from './resources/cohesion.tsx';
import { interventions } from './resources/interventions.tsx';
import { plans, reports } from './resources/plans.tsx';
import { sales, stores } from './resources/stores.tsx';
import { tokens, users } from './resources/users.tsx';

interface Section {
  /** The service it belongs to. A stub serves only one. */
  service: ServiceName;
  path: string;
  title: string;
  resources: readonly Resource<object>[];
}

/** The sections of the back office, by their path below /back-office. */
export const sections: readonly Section[] = [
  { service: 'pos', path: 'accounts', title: 'Accounts', resources: [accounts] },
  { service: 'pos', path: 'stores', title: 'Stores', resources: [stores] },
  { service: 'pos', path: 'sales', title: 'Sales', resources: [sales] },
  { service: 'cohesion', path: 'users', title: 'Users', resources: [users, tokens] },
  { service: 'cohesion', path: 'structures', title: 'Structures', resources: [structures] },
  { service: 'cohesion', path: 'interventions', title: 'Interventions', resources: [interventions] },
  { service: 'cohesion', path: 'indicators', title: 'Indicators', resources: [indicators] },
  { service: 'cohesion', path: 'financings', title: 'Financings', resources: [financings] },
  { service: 'cohesion', path: 'plans-and-reports', title: 'Plans and reports', resources: [plans, reports] },
];
