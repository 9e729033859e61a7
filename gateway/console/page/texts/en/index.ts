import { alerts } from './alerts.tsx';
import { audit } from './audit.tsx';
import { backOffice } from './back-office.ts';
import { call } from './call.tsx';
import { calls } from './calls.tsx';
import { contracts } from './contracts.tsx';
import { delays } from './delays.ts';
import { deliveries } from './deliveries.ts';
import { delivery } from './delivery.tsx';
import { endpoint } from './endpoint.tsx';
import { endpointParts } from './endpoint-parts.tsx';
import { endpoints } from './endpoints.ts';
import { erasures } from './erasures.tsx';
import { event } from './event.ts';
import { events } from './events.ts';
import { frame } from './frame.ts';
import { limitUse } from './limit-use.tsx';
import { limits } from './limits.tsx';
import { operators } from './operators.tsx';
import { overview } from './overview.tsx';
import { partners } from './partners.tsx';
import { parts } from './parts.tsx';
import { server } from './server.ts';
import { signIn } from './sign-in.ts';
import { story } from './story.tsx';
import { stub } from './stub.tsx';
import { views } from './views.ts';

/** The English catalogue: one part per page, and `frame` and `parts` for what pages share. */
export const en = {
  frame,
  signIn,
  views,
  parts,
  partners,
  server,
  overview,
  deliveries,
  delivery,
  endpoints,
  endpoint,
  endpointParts,
  events,
  event,
  calls,
  call,
  story,
  limits,
  limitUse,
  delays,
  alerts,
  backOffice,
  contracts,
  operators,
  erasures,
  audit,
  stub,
};
