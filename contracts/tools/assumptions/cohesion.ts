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
