import { serviceNames } from '../../../../spec/documents/services.ts';

export {
  type ApiName,
  apiNames,
  npxCommand,
  type ServiceName,
  serviceNames,
  services,
} from '../../../../spec/documents/services.ts';

/** The sources of events: the services, and the gateway's own notices. */
export const eventServices = [...serviceNames, 'operator'] as const;
