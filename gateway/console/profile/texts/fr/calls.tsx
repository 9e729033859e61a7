import { count } from '../../../page/lib/format.ts';
import { calls as shared } from '../../../page/texts/fr/calls.tsx';
import type { calls as en } from '../en/calls.tsx';

export const calls: typeof en = {
  ...shared,
  list: 'Vos appels, du plus récent au plus ancien',
  call: 'Appel',
  all: 'Appels',
  none: {
    title: "Aucun appel pour l'instant",
    next: (docs) => <>Vos appels à l'API sont enregistrés ici, même refusés. Essayez-en un sur {docs}.</>,
  },
  notListed:
    "Les appels avec un identifiant faux ou à une adresse inconnue n'y figurent pas : la passerelle ne sait pas de qui ils viennent.",
  facts: {
    time: 'Heure',
    duration: 'Durée',
    operation: 'Opération',
    token: "Jeton d'accès",
    address: 'Adresse IP',
    id: 'Identifiant',
  },
  noOperation: "aucune : rien n'est à cette adresse",
  limit: (name, remaining, limit) => `${name} : ${count(remaining)} sur ${count(limit)} restants`,
  refusal: {
    section: (section) => `Le document, section « ${section} » :`,
    gap: 'Où le document ne dit rien',
    works: 'Une requête qui marche',
    replace: 'Remplacez $TOKEN et les identifiants par les vôtres.',
    noMessage: "La réponse n'a pas de message.",
  },
  request: { title: 'Requête', headers: 'En-têtes de la requête', body: 'Corps de la requête' },
  response: { title: 'Réponse', headers: 'En-têtes de la réponse', body: 'Corps de la réponse' },
  copyCurl: 'Copier en curl',
  redacted: 'Les secrets ne sont pas enregistrés : remplacez YOUR_TOKEN et YOUR_SECRET par les vôtres dans la commande.',
};
