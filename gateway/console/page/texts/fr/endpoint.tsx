import { count, form, plural } from '../../lib/format.ts';
import type { endpoint as en } from '../en/endpoint.tsx';

export const endpoint: typeof en = {
  title: 'Endpoint',
  all: 'Endpoints',
  figures: {
    successRate: 'Taux de réussite',
    attempts: (attempts, when) => `${plural(attempts, 'tentative')} ${when}`,
    latency: 'Latence p95',
    percentiles: (p50, p99) => `p50 ${p50}, p99 ${p99}`,
    noResponses: 'aucune réponse',
    delivered: 'Livrées',
    dead: 'Échecs définitifs',
    newlyDead: (dead, when) => `${plural(dead, 'nouveau', 'nouveaux')} ${when}`,
    pending: 'En attente',
    inFlight: 'En cours',
    now: 'maintenant',
  },
  charts: {
    attempts: 'Tentatives',
    succeeded: 'réussies',
    failed: 'échouées',
    noAttempts: (when) => `Aucune tentative ${when}.`,
    attemptsAre: (when, succeeded, failed) =>
      `Tentatives ${when} : ${plural(succeeded, 'réussie', 'réussies')}, ${plural(failed, 'échouée', 'échouées')}`,
    attemptsOverTime: 'Tentatives au fil du temps',
    drag: 'Faites glisser sur une période pour voir ses livraisons',
    latency: 'Latence',
    latencyIs: (when, p50, p95, p99) => `Latence ${when} : p50 ${p50}, p95 ${p95}, p99 ${p99}`,
    latencyOverTime: 'Latence au fil du temps',
    percentiles: (attempts, when) =>
      `Sur ${plural(attempts, 'tentative')} ${when}, la moitié a duré au plus p50, et 95 % au plus p95.`,
  },
  failures: {
    title: 'Derniers échecs',
    all: 'Tous les échecs définitifs',
    none: 'Aucune tentative échouée.',
    list: 'Derniers échecs, du plus récent au plus ancien',
  },
  notices: { title: 'Avis', none: "La passerelle n'a jamais suspendu ni désactivé cet endpoint." },
  recoveries: {
    title: 'Relances',
    none: 'Aucune. « Relancer maintenant » en démarre une.',
    noneAmong: (searched) => `Aucune parmi les ${count(searched)} plus récentes. « Relancer maintenant » en démarre une.`,
    done: (done, total) => `${count(done)} sur ${count(total)}`,
    doneOfAll: (done, total) => `${count(done)} sur ${count(total)} (tous les endpoints)`,
    doneOfOwner: (done, total, owner) => `${count(done)} sur ${count(total)} (tous les endpoints de ${owner})`,
  },
  ledger: {
    title: 'Bilan',
    total: (deliveries) => `${plural(deliveries, 'livraison')} au total :`,
    states: {
      delivered: (deliveries) => form(deliveries, 'livrée', 'livrées'),
      pending: (_) => 'en attente',
      failed: (deliveries) => form(deliveries, 'échouée', 'échouées'),
      skipped: (deliveries) => form(deliveries, 'non envoyée', 'non envoyées'),
    },
    skipped: (reasons) => `Raisons de ne pas envoyer : ${reasons}.`,
    reasons: {
      endpoint_disabled: 'endpoint désactivé',
      endpoint_deleted: 'endpoint supprimé',
      endpoint_unverified: 'endpoint non vérifié',
      owner_inactive: 'propriétaire inactif',
      not_visible: 'invisible pour le propriétaire',
      event_missing: 'événement supprimé',
    },
    reason: (reason, deliveries) => `${reason} (${count(deliveries)})`,
    notAudited: "Le premier audit n'est pas encore terminé.",
    balances: "Le bilan est équilibré : il ne manque aucune livraison d'aucun événement",
    doesNotBalance: (imbalance) => `Le bilan de tous les endpoints n'est pas équilibré : ${imbalance}`,
    audited: (ago) => <>(vérifié {ago})</>,
  },
};
