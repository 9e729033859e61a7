import { count, form, plural } from '../../lib/format.ts';
import type { event as en } from '../en/event.ts';

export const event: typeof en = {
  title: 'Événement',
  all: 'Événements',
  payload: 'Contenu',
  creating: { title: 'Ses livraisons sont en cours de création', next: 'Elles apparaîtront ici.' },
  facts: {
    time: 'Heure',
    fannedOut: 'Livraisons créées',
    cause: 'Cause',
    trace: 'Trace',
    subject: 'Sujet',
    type: 'Type',
  },
  notYet: 'pas encore',
  noCause: 'non enregistrée',
  noSubject: 'aucun',
  inCatalogue: (type) => `${type} dans le catalogue`,
  sentAs: 'Envoyé avec webhook-id',
  deliveries: {
    list: 'Livraisons de cet événement',
    endpoint: 'Endpoint',
    state: 'État',
    response: 'Réponse',
    attempts: 'Tentatives',
    changed: 'Dernier changement',
  },
  fanOut: {
    title: 'Diffusion',
    sentTo: (endpoints) => `Envoyé à ${plural(endpoints, 'endpoint')}`,
    delivered: (deliveries) => plural(deliveries, 'livrée', 'livrées'),
    pending: (deliveries) => plural(deliveries, 'en attente', 'en attente'),
    failed: (deliveries) => plural(deliveries, 'échouée', 'échouées'),
    skipped: (deliveries) => plural(deliveries, 'non envoyée', 'non envoyées'),
    counted: (deliveries) => `parmi les ${count(deliveries)} plus récentes`,
    next: 'Ouvrez une livraison pour la renvoyer, ou relancez-en plusieurs à la fois depuis la page de leur endpoint.',
  },
  unmatched: {
    title: "Aucun endpoint ne correspondait à cet événement : rien n'a été envoyé",
    when: "La correspondance est cherchée au moment de l'événement. Les endpoints créés ou modifiés plus tard ne le reçoivent pas.",
    checked: (endpoints) => `Seuls les ${count(endpoints)} endpoints les plus récents ont été vérifiés.`,
    ofService: (service) => `Endpoints du service ${service}`,
    others: (type) => `Autres événements ${type} sans endpoint`,
    noEndpoint: (service) => `Il n'y a aucun endpoint du service ${service}.`,
    otherTypes: (endpoints, service, type) =>
      `${plural(endpoints, 'endpoint')} de ${service} ${form(endpoints, "n'est pas abonné", 'ne sont pas abonnés')} à ${type}.`,
    otherSubjects: (endpoints, subject) =>
      `${plural(endpoints, 'endpoint y est abonné', 'endpoints y sont abonnés')} pour certains magasins ou certaines structures seulement, pas pour ${subject}.`,
    noSubject: (endpoints) =>
      `${plural(endpoints, 'endpoint y est abonné', 'endpoints y sont abonnés')} pour certains magasins ou certaines structures seulement, et cet événement n'a pas de sujet.`,
    filtered: (endpoints) =>
      `${plural(endpoints, 'endpoint y est abonné', 'endpoints y sont abonnés')}, mais ${form(endpoints, 'son filtre', 'leur filtre')} ne l'a pas laissé passer.`,
    matchingNow: (endpoints) =>
      `${plural(endpoints, 'endpoint correspondrait', 'endpoints correspondraient')} à un tel événement maintenant.`,
  },
};
