import type { server } from '../en/server.ts';

/** Why the next attempt of a delivery is made when it is, by its case. */
export const nextAttempts: typeof server.nextAttempts = {
  gone: () => 'Le récepteur a répondu 410 Gone : il ne veut plus de livraisons.',
  single: () => "C'était une seule tentative, sur demande. Elle ne sera pas répétée.",
  last: ({ attempt }) => `La tentative ${attempt} était la dernière du calendrier.`,
  retry_after: ({ retry_after }) => `Le récepteur a demandé ce délai (Retry-After) : ${retry_after}.`,
  schedule: ({ seconds, attempt }) => `Le calendrier attend ${seconds} s, à 10 % près, avant la tentative ${attempt}.`,
  asked: () => 'Une autre tentative a été demandée pendant que celle-ci était en cours.',
  not_awaited: () =>
    "La livraison n'attendait pas cette tentative : elle était terminée, ou un autre processus l'a tentée aussi.",
};
