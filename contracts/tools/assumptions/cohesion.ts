import type { Alternative } from './alternative.ts';
import { cohesionMessages } from './cohesion-messages.ts';
import { cohesionRefusals } from './cohesion-refusals.ts';
import { cohesionReplies } from './cohesion-replies.ts';

/** Social cohesion: what it would have said, had it chosen otherwise. */
export const cohesionAlternatives: readonly Alternative[] = [...cohesionReplies, ...cohesionRefusals, ...cohesionMessages];

const asked = 'What a client asks rests on it, not what it is answered.';
const overTime = 'It shows over many calls only.';
const backOffice = 'It is outside of this API.';
const condition = 'It is when the event comes; its payload is an entry of its own.';

/** Gaps of which some alternative cannot show in an answer to one request, and why. */
export const cohesionUnseen: Readonly<Record<string, string>> = {
  'cohesion.financing-types': asked,
  'cohesion.financing-statuses': asked,
  'cohesion.financing-create-required': asked,
  'cohesion.financing-bounds': 'Which years have an open plan shows in no answer.',
  'cohesion.validation-source': backOffice,
  'cohesion.intervention-transitions': backOffice,
  'cohesion.back-office': backOffice,
  'cohesion.perimeter': 'Whose structures a token covers shows in no answer.',
  'cohesion.me-ability': 'A token has at least one ability.',
  'cohesion.token-lifetime': overTime,
  'cohesion.token-format': 'No answer of this API has a token.',
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
};
