import { count } from '../../lib/format.ts';
import type { deliveries as en } from '../en/deliveries.ts';

export const deliveries: typeof en = {
  title: 'Livraisons',
  list: "Livraisons, la plus récente d'abord",
  retry: 'Relancer maintenant',
  noMatch: { title: 'Aucune livraison ne correspond', next: 'Retirez un filtre, ou choisissez une durée plus longue.' },
  none: {
    title: 'Aucune livraison',
    next: 'Une livraison est créée pour chaque endpoint auquel un événement correspond. Créez un endpoint dans la page Endpoints et envoyez-lui un événement de test, ou lancez cette commande pour une première :',
  },
  filters: {
    q: 'Texte du contenu, ou événement',
    qExample: 'une référence, evt_… (/)',
    status: 'Statut',
    endpoint_id: 'Endpoint',
    since: 'Période',
    reason: 'Erreur',
    event_type: "Type d'événement",
    blocking: 'Ordre',
    waits_for: 'Attend',
    response_status: 'Statut HTTP',
  },
  states: { pending: 'en attente', delivered: 'livrée', failed: 'échouée (échec définitif)', skipped: 'non envoyée' },
  blocking: 'bloque les suivantes',
  behind: (amount, more) => `${more ? 'au moins ' : ''}${count(amount)} derrière elle`,
  waits: { time: 'sa tentative', turn: 'son tour' },
  columns: {
    created: 'Créée',
    status: 'Statut',
    event: 'Événement',
    endpoint: 'Endpoint',
    blockedSince: 'Bloque depuis',
    attempts: 'Tentatives',
    result: 'Résultat',
  },
};
