import { accounts } from './register/accounts.tsx';
import { financings, indicators, structures } from './register/cohesion.tsx';
import { interventions } from './register/interventions.tsx';
import { plans, reports } from './register/plans.tsx';
import { sales, stores } from './register/stores.tsx';
import { users } from './register/users.tsx';
import type { Resource } from './resource.ts';

interface Part {
  path: string;
  title: string;
  resources: readonly Resource<object>[];
}

/** Every part of the back office, by its address below /back-office. */
export const parts: readonly Part[] = [
  { path: 'accounts', title: 'Accounts', resources: [accounts] },
  { path: 'stores', title: 'Stores', resources: [stores] },
  { path: 'sales', title: 'Sales', resources: [sales] },
  { path: 'users', title: 'Users', resources: [users] },
  { path: 'structures', title: 'Structures', resources: [structures] },
  { path: 'interventions', title: 'Interventions', resources: [interventions] },
  { path: 'indicators', title: 'Indicators', resources: [indicators] },
  { path: 'financings', title: 'Financings', resources: [financings] },
  { path: 'plans-and-reports', title: 'Plans and reports', resources: [plans, reports] },
];
