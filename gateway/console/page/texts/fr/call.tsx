import { count } from '../../lib/format.ts';
import type { call as en } from '../en/call.tsx';

export const call: typeof en = {
  title: 'Appel',
  all: 'Appels',
  copyCurl: 'Copier en curl',
  facts: {
    time: 'Heure',
    duration: 'Durée',
    api: 'API',
    operation: 'Opération',
    caller: 'Appelant',
    address: 'Adresse IP',
    id: 'Identifiant',
  },
  noOperation: 'aucune',
  noCaller: 'non identifié',
  request: { title: 'Requête', headers: 'En-têtes de la requête', body: 'Corps de la requête' },
  response: { title: 'Réponse', headers: 'En-têtes de la réponse', body: 'Corps de la réponse' },
  redacted: 'Les secrets ne sont pas enregistrés. Dans la commande curl, remplacez YOUR_TOKEN et YOUR_SECRET.',
  noMessage: "La réponse n'a pas de message.",
  sameError: 'Tous les appels avec cette erreur',
  similar: {
    title: 'Appels semblables',
    caller: 'Même appelant',
    operation: 'Même opération',
    around: 'Appels à moins de 30 s',
  },
  caused: { title: 'Événements causés par cet appel', event: 'A causé' },
  limit: {
    none: "Cet appel n'avait pas de limite.",
    refusedBy: (limit) => (
      <>
        <b>Refusé par la limite :</b> {limit}
      </>
    ),
    nearest: (limit) => (
      <>
        <b>Limite la plus proche :</b> {limit}
      </>
    ),
    left: (remaining, limit, reset) => `reste ${count(remaining)} sur ${count(limit)}, renouvelée après ${reset}`,
    leftOf: (name, remaining, limit) => `${name} : reste ${count(remaining)} sur ${count(limit)}`,
    ofCaller: (caller) => `Limites de ${caller}`,
  },
};
