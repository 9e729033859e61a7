import { delivery as sharedDelivery } from '../../../page/texts/en/delivery.tsx';
import { frame as sharedFrame } from '../../../page/texts/en/frame.ts';
import { parts as sharedParts } from '../../../page/texts/en/parts.tsx';
import { server as ofConsole } from '../../../page/texts/en/server.ts';
import { forPartners } from './for-partners.ts';

const { reasons, events, refusals, rules, nextAttempts, diagnosis } = ofConsole;

// The English catalogue: the shared texts, some of them in other words for partners, and one part per page.
export const frame = { ...sharedFrame, ...forPartners.frame };
export const parts = { ...sharedParts, ...forPartners.parts };
export const delivery = { ...sharedDelivery, timeline: { ...sharedDelivery.timeline, ...forPartners.timeline } };
export const endpointParts = forPartners.endpointParts;
export const server = {
  causes: forPartners.causes,
  reasons,
  events,
  refusals,
  onPage: forPartners.onPage,
  rules,
  nextAttempts,
  diagnosis,
};
export { limitUse } from '../../../page/texts/en/limit-use.tsx';
export { alerts } from './alerts.tsx';
export { call } from './call.ts';
export { calls } from './calls.tsx';
export { credentials } from './credentials.ts';
export { deliveries } from './deliveries.ts';
export { signIn } from './sign-in.ts';
export { webhooks } from './webhooks.tsx';
export { you } from './you.tsx';
