import { count, plural } from '../../lib/format.ts';
import type { endpoints as en } from '../en/endpoints.ts';

export const endpoints: typeof en = {
  title: 'Endpoints',
  list: 'Endpoints, du plus récent au plus ancien',
  create: 'Nouvel endpoint',
  period:
    'Les chiffres portent sur la dernière heure et se mettent à jour en direct. Les échecs définitifs comprennent ceux relancés depuis.',
  noMatch: { title: 'Aucun endpoint ne correspond', next: 'Retirez un filtre.' },
  none: {
    title: "Aucun endpoint pour l'instant",
    next: 'Un endpoint est une de vos URL, qui reçoit les événements sous forme de webhooks signés. Créez-en un avec « Nouvel endpoint », puis envoyez-lui un événement de test.',
  },
  filters: {
    text: { label: 'URL ou description', placeholder: 'une partie (/)' },
    service: 'Service',
    state: 'État',
  },
  states: { ok: 'actif', held: 'suspendu ou en test', disabled: 'en pause ou désactivé' },
  columns: {
    endpoint: 'Endpoint',
    state: 'État',
    success: 'Réussite',
    latency: 'p50 / p95',
    pending: 'En attente',
    dead: 'Échecs déf.',
    lastHour: 'Dernière heure',
  },
  inFlight: (deliveries) => `${count(deliveries)} en cours`,
  attempts: (succeeded, failed) =>
    `${plural(succeeded, 'tentative réussie', 'tentatives réussies')} et ${plural(failed, 'échouée', 'échouées')} au cours de la dernière heure`,
};
