import { count, form, plural } from '../../lib/format.ts';
import type { endpointParts as en } from '../en/endpoint-parts.tsx';

/** What can be done with an endpoint, here and in the profile of partners. */
export const endpointParts: typeof en = {
  sendTest: 'Envoyer un test',
  retryNow: 'Relancer maintenant',
  enable: 'Reprendre',
  enabled: "L'endpoint reçoit de nouveau des livraisons.",
  more: 'Plus',
  edit: 'Modifier',
  pause: {
    label: 'Mettre en pause',
    title: 'Mettre cet endpoint en pause ?',
    consequences: [
      "Rien ne lui est envoyé tant que les envois n'ont pas repris.",
      'Les livraisons en attente et les nouvelles deviennent « non envoyées ».',
      'Utilisez plus tard « Relancer maintenant » pour les envoyer.',
    ],
    done: "L'endpoint est en pause. Rien ne lui est envoyé.",
  },
  remove: {
    label: 'Supprimer',
    title: 'Supprimer définitivement cet endpoint ?',
    consequences: [
      'Cette action est irréversible. Un nouvel endpoint pour la même URL reçoit un nouveau secret.',
      'Ses livraisons en attente deviennent « non envoyées » (endpoint_deleted) et ne peuvent plus être envoyées.',
      'Ses livraisons et leurs tentatives sont conservées.',
    ],
    done: (skipped) =>
      `L'endpoint a été supprimé. ${skipped === 0 ? "Aucune livraison n'était en attente" : plural(skipped, 'livraison en attente ne sera pas envoyée', 'livraisons en attente ne seront pas envoyées')}.`,
  },
  state: {
    advice: {
      held: {
        title: 'Les livraisons vers cet endpoint sont suspendues',
        next: "Rien n'est perdu. Cherchez la cause des échecs, corrigez le récepteur et relancez maintenant. Une seule réussite met fin à la suspension.",
      },
      probing: {
        title: "Une livraison vérifie s'il fonctionne de nouveau",
        next: 'Si elle réussit, les livraisons en attente sont envoyées.',
      },
      failing: {
        title: 'Les dernières tentatives ont échoué',
        next: 'Chaque livraison est retentée selon son calendrier. Consultez les erreurs ci-dessous, corrigez le récepteur et relancez maintenant.',
      },
      blocked: {
        title: 'Des échecs définitifs bloquent des livraisons',
        next: "Ils ne sont pas retentés d'eux-mêmes. Corrigez le récepteur et renvoyez ce qui bloque, le plus ancien d'abord, ou passez-le. Les livraisons qui attendent derrière sont alors envoyées.",
      },
      paused: {
        title: "L'endpoint est en pause",
        next: 'Ses livraisons ne sont pas envoyées. Reprenez les envois, puis relancez les livraisons non envoyées.',
      },
      unverified: {
        title: "L'endpoint n'est pas vérifié",
        next: "Son propriétaire le vérifie par un événement de test. Le reprendre, c'est répondre de son récepteur à sa place.",
      },
      disabled: {
        title: "L'endpoint est désactivé",
        next: 'Ses livraisons ne sont pas envoyées. Corrigez le récepteur, reprenez les envois, envoyez un événement de test, puis relancez les livraisons non envoyées.',
      },
    },
    onlyOperator: 'Ses livraisons sont ignorées. Seul un opérateur peut le reprendre : demandez-lui.',
    endHold: 'Mettre fin à la suspension',
    showBlocking: 'Voir ce qui bloque',
  },
  settings: {
    title: 'Réglages',
    id: 'Identifiant',
    service: 'Service',
    owner: 'Propriétaire',
    description: 'Description',
    types: "Types d'événements",
    allTypes: 'tous ceux du service',
    subjects: 'Magasins ou structures',
    allSubjects: 'tous',
    filter: 'Filtre sur le contenu',
    credentials: 'Demandé par le récepteur',
    noCredentials: 'rien que la signature',
    basicAs: (name) => `utilisateur ${name}`,
    noFilter: 'aucun',
    inFlight: 'Tentatives simultanées',
    defaultInFlight: 'par défaut',
    perSecond: 'Tentatives par seconde',
    unlimited: 'sans limite',
    retryFor: 'Nouvelles tentatives',
    bySchedule: 'selon le calendrier',
    hours: (count) => `pendant ${count} h`,
    ordered: "Dans l'ordre",
    orderings: { endpoint: 'oui, une à la fois', subject: 'oui, par magasin ou structure' },
    blocking: 'ce qui bloque les suivantes',
    notOrdered: 'non',
    created: 'Création',
    changed: 'Modification',
  },
  filterMatches: ({ events, matched, unmatched }) => {
    if (events === 0) return "Il n'y a aucun événement récent auquel le comparer.";
    const share = `${count(matched)} des ${plural(events, 'dernier événement', 'derniers événements')} le ${form(matched, 'remplit', 'remplissent')}.`;
    if (!unmatched) return share;
    const { event_id, event_type, path, condition, value } = unmatched;
    const has = value === undefined ? 'rien' : JSON.stringify(value);
    return `${share} Pas ${event_type} ${event_id} : ${path || 'son contenu'} vaut ${has}, et le filtre demande ${JSON.stringify(condition)}.`;
  },
  secrets: {
    title: 'Secrets de signature',
    table: 'Quel secret signe quel en-tête',
    secret: 'Secret',
    since: (time) => <>depuis : {time}</>,
    until: (time) => <>jusqu'à : {time}</>,
    from: (time) => <>à partir de : {time}</>,
    test: 'Tester le nouveau secret',
  },
  rotate: {
    open: 'Renouveler le secret',
    title: 'Renouveler le secret de signature',
    close: 'Fermer',
    copied: "Je l'ai copié",
    overlap:
      "Pendant le chevauchement, les deux secrets signent webhook-signature. X-SERVICE-Signature n'a de place que pour une signature : il garde l'ancien secret jusqu'à la fin du chevauchement. Le récepteur doit donc connaître le nouveau avant.",
    hours: {
      label: "Durée pendant laquelle l'ancien secret signe encore (heures)",
      description: "De 0 à 168. Mettez 0 s'il a fuité : le nouveau secret signe alors aussitôt tous les en-têtes.",
    },
    cancel: 'Annuler',
    create: 'Créer le nouveau secret',
    leaving: {
      title: 'Avez-vous copié le secret ?',
      why: 'Il ne sera plus affiché. Sans lui, le récepteur rejettera les livraisons.',
      stay: 'Le montrer',
      leave: 'Oui, fermer',
    },
    next: "Donnez ce secret au récepteur, à côté de l'ancien. « Tester le nouveau secret » montre s'il le connaît. Retirez l'ancien du récepteur quand il a pris fin.",
    nextAtOnce: "Le nouveau secret signe désormais tous les en-têtes. L'ancien ne signe plus rien.",
  },
  test: {
    title: 'Envoyer un événement de test',
    about:
      "L'événement est envoyé à cet endpoint seulement, et tout de suite. Il est signé et enregistré comme les autres. Ses données doivent respecter le schéma de l'événement.",
    inactive: "L'endpoint n'est pas actif : rien ne peut lui être envoyé",
    type: "Type d'événement",
    data: 'Données',
    notJson: (message) => <>Ce n'est pas du JSON valide : {message}</>,
    newSecret: 'Tester le nouveau secret : lui seul signe cet événement.',
    reset: "Rétablir l'exemple",
    send: 'Envoyer',
    sendAnother: 'Envoyer un autre',
    waitsInTurn: 'En attente de son tour…',
    waits: 'En attente de la réponse…',
    delivered: 'Événement de test livré',
    failed: "L'événement de test a échoué",
    attempt: (number) => `tentative ${number}`,
    attemptTook: (number, took) => `tentative ${number}, ${took}`,
    nextAttempt: (fromNow) => <>Prochaine tentative : {fromNow}</>,
    response: 'Réponse',
    show: 'Voir la livraison',
  },
};
