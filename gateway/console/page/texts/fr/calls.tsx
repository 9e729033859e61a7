import { form, plural } from '../../lib/format.ts';
import type { calls as en } from '../en/calls.tsx';

export const calls: typeof en = {
  title: 'Appels',
  list: 'Appels, du plus récent au plus ancien',
  noMatch: { title: 'Aucun appel ne correspond', next: 'Retirez un filtre, ou choisissez une durée plus longue.' },
  none: {
    title: "Aucun appel pour l'instant",
    next: (docs) => (
      <>
        Chaque appel aux API est enregistré ici avec sa requête et sa réponse, même s'il est refusé. Essayez une opération sur{' '}
        {docs}.
      </>
    ),
  },
  lost: {
    title: (calls) => `${plural(calls, 'appel')} ${form(calls, 'non enregistré', 'non enregistrés')}`,
    why: "L'enregistreur était surchargé et les a abandonnés. Total depuis le démarrage de la passerelle.",
  },
  filters: {
    text: { label: 'Texte du chemin ou du corps', placeholder: 'une référence, un id… (/)' },
    status: 'Statut',
    statuses: { '2xx': 'réussis', '4xx': 'refusés', '5xx': 'échoués' },
    time: 'Période',
    api: 'API',
    errorCode: "Code d'erreur",
    operation: 'Opération',
    caller: 'Appelant',
    address: 'Adresse IP',
    method: 'Méthode',
    limit: 'Limite',
    refused: 'refusés',
  },
  columns: {
    time: 'Heure',
    call: 'Appel',
    status: 'Statut',
    error: 'Erreur',
    operation: 'Opération',
    caller: 'Appelant',
    duration: 'Durée',
    limitLeft: 'Limite restante',
  },
  noLimit: 'sans limite',
  used: (limit, share) => `${limit} : ${share} utilisés`,
};
