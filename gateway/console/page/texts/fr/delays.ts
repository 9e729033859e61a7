import { plural } from '../../lib/format.ts';
import type { delays as en } from '../en/delays.ts';

/** How late deliveries are, here and in the profile of partners. */
export const delays: typeof en = {
  title: 'Quel retard, et à qui la faute',
  none: (period) => `Rien n'est arrivé ${period}.`,
  whole: (p50, p99, arrived) =>
    `D'un événement à son arrivée : ${p50} (p50), ${p99} (p99), pour ${plural(arrived, 'livraison', 'livraisons')}.`,
  inTime: (share, attempts) =>
    `${share} de ${plural(attempts, 'première tentative', 'premières tentatives')} ont commencé en moins de 5 s, en ne comptant que la part de la passerelle. L'objectif est de 99,9 %.`,
  waited: (parts) => `A attendu : ${parts}`,
  part: 'Attend',
  share: 'Part',
  parts: {
    own: 'la passerelle',
    limit: "une limite de l'endpoint",
    hold: "le disjoncteur, l'ordre ou le proxy",
    retry: 'la tentative suivante',
    receiver: 'la réponse du récepteur',
  },
};
