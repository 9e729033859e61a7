import type { deliveries as en } from '../en/deliveries.ts';

export const deliveries: typeof en = {
  title: 'Livraisons',
  list: "Livraisons à vos endpoints, la plus récente d'abord",
  retryAll: 'Relancer tout ce qui est dû',
  none: {
    matching: 'Aucune livraison ne correspond',
    matchingHow: 'Retirez un filtre, ou choisissez une durée plus longue.',
    yet: "Aucune livraison pour l'instant",
    endpoints: 'Vos endpoints',
    yetHow:
      "Chaque événement qu'un de vos endpoints demande devient une livraison. Ajoutez un endpoint dans Webhooks et vérifiez-le.",
  },
  filters: {
    q: 'Texte de vos événements',
    qExample: 'une référence, un id… (/)',
    status: 'Statut',
    endpoint: 'Endpoint',
    time: 'Période',
    error: 'Erreur',
    event: 'Événement',
  },
  states: { pending: 'en attente', delivered: 'livrée', failed: 'échouée', skipped: 'non envoyée' },
  columns: {
    created: 'Créée',
    status: 'Statut',
    event: 'Événement',
    subject: { account: 'Magasin', user: 'Structure' },
    endpoint: 'Endpoint',
    attempts: 'Tentatives',
    result: 'Résultat',
  },
  removed: 'endpoint supprimé',
};
