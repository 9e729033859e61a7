import { delays } from '../../../page/texts/en/delays.ts';
import { delivery as sharedDelivery } from '../../../page/texts/en/delivery.tsx';
import { frame as sharedFrame } from '../../../page/texts/en/frame.ts';
import { limitUse } from '../../../page/texts/en/limit-use.tsx';
import { parts as sharedParts } from '../../../page/texts/en/parts.tsx';
import { server as ofConsole } from '../../../page/texts/en/server.ts';
import { alerts } from './alerts.tsx';
import { call } from './call.ts';
import { calls } from './calls.tsx';
import { credentials } from './credentials.ts';
import { deliveries } from './deliveries.ts';
import { forPartners } from './for-partners.ts';
import { signIn } from './sign-in.ts';
import { webhooks } from './webhooks.tsx';
import { you } from './you.tsx';

const { reasons, events, refusals, rules, nextAttempts, diagnosis } = ofConsole;

/** The English catalogue: the shared texts, some of them in other words for partners, and one part per page. */
export const en = {
  frame: { ...sharedFrame, ...forPartners.frame },
  parts: { ...sharedParts, ...forPartners.parts },
  delivery: { ...sharedDelivery, timeline: { ...sharedDelivery.timeline, ...forPartners.timeline } },
  endpointParts: forPartners.endpointParts,
  limitUse,
  delays,
  server: { causes: forPartners.causes, reasons, events, refusals, onPage: forPartners.onPage, rules, nextAttempts, diagnosis },
  signIn,
  you,
  credentials,
  webhooks,
  deliveries,
  calls,
  call,
  alerts,
};
