import type { Alternative } from './alternative.ts';
import { posMessages } from './pos-messages.ts';
import { posRefusals } from './pos-refusals.ts';
import { posReplies } from './pos-replies.ts';
import { transportOf } from './transport.ts';

/** All executable alternatives of the Point-of-Sale API. */
export const posAlternatives: readonly Alternative[] = [...posReplies, ...posRefusals, ...posMessages, ...transportOf('pos')];
