import type { Services } from '../http/api.ts';
import type { Partners } from './identity.ts';

/** What the routes of the profile need beside the services of every API. */
export interface ProfileServices extends Services {
  partners: Partners;
  sessionHours: number;
}
