import { deliveries as shared } from '../../../page/texts/fr/deliveries.ts';
import type { deliveries as en } from '../en/deliveries.ts';

export const deliveries: typeof en = {
  ...shared,
  list: "Livraisons à vos endpoints, la plus récente d'abord",
  retry: 'Relancer tout ce qui est dû',
  none: {
    title: "Aucune livraison pour l'instant",
    endpoints: 'Vos endpoints',
    next: "Chaque événement qu'un de vos endpoints demande devient une livraison. Ajoutez un endpoint dans Webhooks et vérifiez-le.",
  },
  filters: { ...shared.filters, q: 'Texte de vos événements', qExample: 'une référence, un id… (/)', eventType: 'Événement' },
  states: { ...shared.states, failed: 'échouée' },
  subject: { account: 'Magasin', user: 'Structure' },
  removed: 'endpoint supprimé',
};
