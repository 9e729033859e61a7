import { delays } from '../../../page/texts/fr/delays.ts';
import { delivery as sharedDelivery } from '../../../page/texts/fr/delivery.tsx';
import { diagnosis } from '../../../page/texts/fr/diagnosis.ts';
import { frame as sharedFrame } from '../../../page/texts/fr/frame.ts';
import { limitUse } from '../../../page/texts/fr/limit-use.tsx';
import { nextAttempts } from '../../../page/texts/fr/next-attempts.ts';
import { parts as sharedParts } from '../../../page/texts/fr/parts.tsx';
import { events, reasons, refusals, rules } from '../../../page/texts/fr/server-shared.ts';
import type { en } from '../en/index.ts';
import { alerts } from './alerts.tsx';
import { call } from './call.ts';
import { calls } from './calls.tsx';
import { credentials } from './credentials.ts';
import { deliveries } from './deliveries.ts';
import { forPartners } from './for-partners.ts';
import { signIn } from './sign-in.ts';
import { webhooks } from './webhooks.tsx';
import { you } from './you.tsx';

/** The French catalogue. */
export const fr: typeof en = {
  frame: { ...sharedFrame, ...forPartners.frame },
  parts: { ...sharedParts, ...forPartners.parts },
  delivery: { ...sharedDelivery, timeline: { ...sharedDelivery.timeline, ...forPartners.timeline } },
  endpointParts: forPartners.endpointParts,
  limitUse,
  delays,
  server: {
    causes: forPartners.causes,
    reasons,
    events,
    rules,
    nextAttempts,
    diagnosis,
    refusals: { ...refusals, ...forPartners.refusals },
    onPage: forPartners.onPage,
  },
  signIn,
  you,
  credentials,
  webhooks,
  deliveries,
  calls,
  call,
  alerts,
};
