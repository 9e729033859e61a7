import type { ServiceName } from '../../lib/services.ts';
import type { Resource } from '../../parts/resource/resource.ts';
import { text } from '../../texts/index.ts';
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

const titles = text.backOffice.sections;

/** The sections of the back office, by their path below /back-office. */
export const sections: readonly Section[] = [
  { service: 'pos', path: 'accounts', title: titles.accounts, resources: [accounts] },
  { service: 'pos', path: 'stores', title: titles.stores, resources: [stores] },
  { service: 'pos', path: 'sales', title: titles.sales, resources: [sales] },
  { service: 'cohesion', path: 'users', title: titles.users, resources: [users, tokens] },
  { service: 'cohesion', path: 'structures', title: titles.structures, resources: [structures] },
  { service: 'cohesion', path: 'interventions', title: titles.interventions, resources: [interventions] },
  { service: 'cohesion', path: 'indicators', title: titles.indicators, resources: [indicators] },
  { service: 'cohesion', path: 'financings', title: titles.financings, resources: [financings] },
  { service: 'cohesion', path: 'plans-and-reports', title: titles.plansAndReports, resources: [plans, reports] },
];
