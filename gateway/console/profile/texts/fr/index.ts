import { delivery as sharedDelivery } from '../../../page/texts/fr/delivery.tsx';
import { diagnosis } from '../../../page/texts/fr/diagnosis.ts';
import { frame as sharedFrame } from '../../../page/texts/fr/frame.ts';
import { nextAttempts } from '../../../page/texts/fr/next-attempts.ts';
import { parts as sharedParts } from '../../../page/texts/fr/parts.tsx';
import { events, reasons, refusals, rules } from '../../../page/texts/fr/server-shared.ts';
import type * as en from '../en/index.ts';
import { forPartners } from './for-partners.ts';

// The French catalogue.
export const frame: typeof en.frame = { ...sharedFrame, ...forPartners.frame };
export const parts: typeof en.parts = { ...sharedParts, ...forPartners.parts };
export const delivery: typeof en.delivery = {
  ...sharedDelivery,
  timeline: { ...sharedDelivery.timeline, ...forPartners.timeline },
};
export const endpointParts: typeof en.endpointParts = forPartners.endpointParts;
export const server: typeof en.server = {
  causes: forPartners.causes,
  reasons,
  events,
  rules,
  nextAttempts,
  diagnosis,
  refusals: { ...refusals, ...forPartners.refusals },
  onPage: forPartners.onPage,
};
export { limitUse } from '../../../page/texts/fr/limit-use.tsx';
export { alerts } from './alerts.tsx';
export { call } from './call.ts';
export { calls } from './calls.tsx';
export { credentials } from './credentials.ts';
export { deliveries } from './deliveries.ts';
export { signIn } from './sign-in.ts';
export { webhooks } from './webhooks.tsx';
export { you } from './you.tsx';
