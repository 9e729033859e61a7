import { type Cause, type Failure, type Speech, sayCause, shortFailure } from '../../../base/causes/cause.ts';
import { text } from '../texts/shared.ts';
import { count } from './format.ts';
import { useNow } from './now.ts';
import { duration, shortTime } from './time.ts';
import { useZone } from './zone.ts';

export type { Cause, Failure } from '../../../base/causes/cause.ts';

/** Times in the viewer's zone, and the seconds that are left. */
function useSpeech(): Speech {
  const [nowMs, zone] = [useNow(), useZone()];
  return {
    time: (at) => shortTime(at, zone),
    ahead: (at) => {
      const leftMs = Math.ceil((Date.parse(at) - nowMs) / 1000) * 1000;
      return leftMs <= 0 ? text.delivery.now : text.delivery.in(duration(leftMs));
    },
    count,
  };
}

/** Returns a function that says why something has not arrived, in the viewer's language. `subject`: the host if it is left out. */
export function useWhy(): (cause: Cause, subject?: string) => string {
  const speech = useSpeech();
  return (cause, subject) => sayCause(text.server.causes, speech, cause, subject);
}

export const failureWords = (failure: Failure | 'blocked'): string => shortFailure(text.server.causes, failure);
