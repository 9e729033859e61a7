import type { Api, Services } from '../http/api.ts';
import type { CallRecords } from '../http/record/recorder.ts';
import { changedByCalls } from '../manage/audit/trail.ts';
import { callRoutes } from '../manage/calls/routes.ts';
import { type ProfileAlertOptions, profileAlertRoutes } from './alerts/routes.ts';
import { profileApi } from './api.ts';
import { partners } from './audience.ts';
import { keyRoutes } from './credentials/key-routes.ts';
import { tokenRoutes } from './credentials/token-routes.ts';
import { type MeParts, meRoutes } from './me.ts';
import { type Reference, referenceRoutes } from './reference.ts';
import { profileSessionRoutes } from './session-routes.ts';
import type { ProfileWebhookOptions } from './webhooks/own.ts';
import { profileWebhookRoutes } from './webhooks/routes.ts';

export interface ProfileParts extends MeParts {
  sessionHours: number;
  records: CallRecords;
  webhooks: ProfileWebhookOptions;
  reference: Reference;
  alerts: ProfileAlertOptions;
}

export const openProfile = (
  services: Services,
  { sessionHours, records, webhooks, reference, alerts, ...use }: ProfileParts,
): Api =>
  profileApi(changedByCalls(services), {
    sessionHours,
    routes: [
      profileSessionRoutes,
      (app, own) => meRoutes(app, own, use),
      (app, own) => referenceRoutes(app, own, reference),
      tokenRoutes,
      keyRoutes,
      (app, own) => callRoutes(app, own, records, partners),
      (app, own) => profileWebhookRoutes(app, own, webhooks),
      (app, own) => profileAlertRoutes(app, own, alerts),
    ],
  });
