import { calls as shared } from '../../../page/texts/fr/calls.tsx';
import type { calls as en } from '../en/calls.tsx';

export const calls: typeof en = {
  ...shared,
  list: 'Vos appels, du plus récent au plus ancien',
  none: {
    title: "Aucun appel pour l'instant",
    next: (docs) => <>Vos appels à l'API sont enregistrés ici, même refusés. Essayez-en un sur {docs}.</>,
  },
  notListed:
    "Les appels avec un identifiant faux ou à une adresse inconnue n'y figurent pas : la passerelle ne sait pas de qui ils viennent.",
};
