import { count, form, plural, shortCount } from '../../lib/format.ts';
import type { overview as en } from '../en/overview.tsx';

export const overview: typeof en = {
  title: "Vue d'ensemble",
  retryNow: 'Relancer maintenant',
  storeDown:
    "La base ne répond pas. Les appels reçoivent 503 et les livraisons attendent. Rien de ce qui a été confirmé n'est perdu.",
  clockWrong: (off) =>
    `L'horloge de cette machine diffère de ${off} de celle de la base. Ce processus n'envoie rien tant qu'elle est fausse.`,
  since: (at) => <>Début : {at}</>,
  deliveriesOwed: (deliveries) => `Livraisons dues : ${deliveries}`,

  calls: {
    title: 'Appels',
    none: (period) => `Aucun appel ${period}.`,
    chart: (period, succeeded, refused, limited, failed) =>
      `Appels ${period} : réussis ${count(succeeded)}, refusés ${count(refused)}, limités ${count(limited)}, échoués ${count(failed)}`,
    succeeded: 'réussis',
    refused: 'refusés',
    limited: 'limités',
    failed: 'échoués',
    total: 'Appels',
    noneByApi: 'aucun',
    rate: 'Réussis',
    failedAndRefused: (failed, refused) =>
      `${shortCount(failed)} ${form(failed, 'échoué', 'échoués')} (5xx), ${shortCount(refused)} ${form(refused, 'refusé', 'refusés')} (4xx)`,
    latency: 'Latence p95',
    noLatency: 'aucun appel',
    rateLimited: 'Limités',
    callers: (callers) => plural(callers, 'appelant', 'appelants'),
  },

  deliveries: {
    title: 'Livraisons',
    none: (period) => `Aucune tentative ${period}.`,
    chart: (period, succeeded, failed) => `Tentatives ${period} : réussies ${count(succeeded)}, échouées ${count(failed)}`,
    succeeded: 'réussies',
    failed: 'échouées',
    attempts: 'Tentatives',
    delivered: (deliveries) => `${shortCount(deliveries)} ${form(deliveries, 'livrée', 'livrées')}`,
    rate: 'Taux de réussite',
    failedAttempts: (attempts) => `${shortCount(attempts)} ${form(attempts, 'échouée', 'échouées')}`,
    latency: 'Latence p95',
    noLatency: 'aucune tentative',
    deadLetters: 'Échecs définitifs',
    skipped: (deliveries) => `${shortCount(deliveries)} ${form(deliveries, 'non envoyée', 'non envoyées')}`,
  },

  latency: {
    title: 'Latence, p95',
    none: (period) => `Aucun appel et aucune tentative ${period}.`,
    chart: (period, calls, attempts) => `95e centile ${period} : ${calls} pour les appels, ${attempts} pour les tentatives`,
    unknown: 'inconnu',
    calls: 'appels',
    attempts: 'tentatives',
  },

  now: {
    pending: 'En attente',
    now: 'maintenant',
    inTurn: 'Attendent leur tour',
    late: 'En retard',
    lateAfter: 'plus de 30 s',
    queue: "File d'attente",
    queueJobs: (active, delayed) =>
      `${count(active)} ${form(active, 'active', 'actives')}, ${count(delayed)} ${form(delayed, 'différée', 'différées')}`,
    queueUnknown: 'inconnue',
    endpoints: 'Endpoints',
    wellOf: (well, total) => `${count(well)} sur ${count(total)}`,
    otherStates: ({ troubled, held, disabled }) =>
      `en bon état, ${count(troubled)} en difficulté, ${plural(held, 'suspendu', 'suspendus')}, ${plural(disabled, 'désactivé', 'désactivés')}`,
    ledger: 'Bilan',
    balanced: 'Équilibré',
    unbalanced: 'Déséquilibré',
    notAudited: 'pas encore vérifié',
    audited: (at) => <>vérifié {at}</>,
    auditedUnbalanced: (imbalance, at) => (
      <>
        {imbalance} ; vérifié {at}
      </>
    ),
    recorder: 'Enregistreur',
    toWrite: (calls) => `${shortCount(calls)} à écrire`,
    lost: (calls) => plural(calls, 'perdu', 'perdus'),
  },

  errors: {
    title: 'Erreurs par classe',
    none: (period) => `Aucune tentative n'a échoué ${period}.`,
    attempts: (attempts) => plural(attempts, 'tentative', 'tentatives'),
    now: (statuses) => `, en ce moment ${statuses}`,
  },

  trouble: {
    title: 'Endpoints à surveiller',
    endpoint: 'Endpoint',
    state: 'État',
    since: 'Début',
    failed: 'Échecs, dernière minute',
    owed: 'Dues',
    lastFailure: 'Dernier échec',
    whatToDo: 'À faire',
    states: {
      held: 'suspendu',
      failing: 'en échec',
      disabled: 'désactivé',
      unsteady: 'instable',
      behind: 'en retard',
      paused: 'en pause',
    },
    failedOf: (failed, attempts) => `${count(failed)} sur ${count(attempts)}`,
    failedAndOwed: (failed, attempts, owed) => `Échecs : ${count(failed)} sur ${count(attempts)}, livraisons dues : ${owed}`,
    failure: (reason, at) => (
      <>
        {reason}, {at}
      </>
    ),
    test: 'Tester',
    enable: 'Reprendre',
  },

  refusals: {
    title: 'Refus par limite',
    allLimits: 'Toutes les limites',
    none: (period) => `Aucun appel d'un appelant connu n'a été refusé par une limite ${period}.`,
  },

  notices: {
    title: 'Derniers avis',
    none: "Aucun endpoint n'a été suspendu ou désactivé.",
  },

  recoveries: {
    title: 'Relances en cours',
    allEndpoints: 'tous les endpoints',
    allOf: (owner) => `tous les endpoints de ${owner}`,
    progress: (done, total) => `${count(done)} sur ${count(total)}`,
    progressWithTime: (done, total, left) => `${count(done)} sur ${count(total)}, encore ${left} environ`,
    of: (endpoint) => `Relance : ${endpoint}`,
  },

  firstSteps: {
    label: 'Premiers pas',
    title: "Rien n'a encore été livré",
    intro: 'Tout est normal. Suivez ces trois étapes pour voir des chiffres ici :',
    done: 'fait',
    endpoint: 'Créer un endpoint',
    endpointHow: 'Une URL à vous qui reçoit les événements sous forme de webhooks signés.',
    newEndpoint: 'Nouvel endpoint',
    test: 'Lui envoyer un événement de test',
    testHow: "Utilisez le bouton de la page de l'endpoint. Il montre aussitôt comment le récepteur répond.",
    endpoints: 'Endpoints',
    call: 'Faire un appel',
    callHow: (backOffice, documents) => (
      <>
        Utilisez la clé d'API d'un compte. Les comptes sont dans le {backOffice('Back-office')} ; avec les données de
        démonstration, le message de démarrage affiche une clé. Toutes les opérations sont dans les{' '}
        {documents('documents OpenAPI')}. Une vente, par exemple, crée un événement, qui est envoyé à l'endpoint.
      </>
    ),
    token: 'Obtenir un jeton pour un compte',
  },
};
