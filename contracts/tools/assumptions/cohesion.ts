import type { Alternative } from './alternative.ts';
import { cohesionMessages } from './cohesion-messages.ts';
import { cohesionRefusals } from './cohesion-refusals.ts';
import { cohesionReplies } from './cohesion-replies.ts';
import { transportOf } from './transport.ts';

/** All executable alternatives of the Social-Cohesion API. */
export const cohesionAlternatives: readonly Alternative[] = [
  ...cohesionReplies,
  ...cohesionRefusals,
  ...cohesionMessages,
  ...transportOf('cohesion'),
];

const asked = 'It affects the client’s request, not the answer.';
const overTime = 'It shows only over many calls.';
const backOffice = 'It is outside this API.';
const condition = 'It affects when the event is sent; its payload is a separate gap.';

/** Gaps with an alternative that one answer cannot show, and the reason. */
export const cohesionUntestable: Readonly<Record<string, string>> = {
  'cohesion.financing-types': asked,
  'cohesion.financing-statuses': asked,
  'cohesion.financing-create-required': asked,
  'cohesion.financing-bounds': 'No answer shows which years have an open plan.',
  'cohesion.validation-source': backOffice,
  'cohesion.intervention-transitions': backOffice,
  'cohesion.back-office': backOffice,
  'cohesion.perimeter': 'No answer shows the perimeter of a token.',
  'cohesion.user-perimeter': 'A delivery does not name its receiver’s user.',
  'cohesion.me-ability': 'A token has at least one ability.',
  'cohesion.token-lifetime': overTime,
  'cohesion.token-format': 'No answer of this API contains a token.',
  'cohesion.token-creation': backOffice,
  'cohesion.token-last-used': overTime,
  'cohesion.read-throttle': overTime,
  'cohesion.write-throttle-scope': overTime,
  'cohesion.versioning': overTime,
  'cohesion.rapport-ready-condition': condition,
  'cohesion.plan-closed-condition': condition,
  'cohesion.webhook-retries': overTime,
  'cohesion.webhook-timeouts': overTime,
  'cohesion.webhook-configuration': backOffice,
  'cohesion.delivered-at': 'Any time has the same form.',
  'cohesion.webhook-secret': 'A signature has the same form with any key.',
  'cohesion.plain-http': 'It is outside of the calls that a pact has.',
  'cohesion.indicator-without-value': 'No answer shows whether a value of 0 was ever set.',
  'cohesion.current-year': 'It shows at the turn of the year only.',
  'cohesion.annee-values': 'No answer shows which years are known.',
  'cohesion.repeated-post': 'It needs two requests.',
  'cohesion.check-order': 'It shows only where several things are wrong.',
  'cohesion.event-order': overTime,
};
