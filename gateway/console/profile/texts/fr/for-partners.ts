import type { server } from '../../../page/texts/en/server.ts';
import { endpointParts } from '../../../page/texts/fr/endpoint-parts.tsx';
import { parts } from '../../../page/texts/fr/parts.tsx';
import { causes } from '../../../page/texts/fr/server-shared.ts';
import type { forPartners as en } from '../en/for-partners.ts';

export const forPartners: typeof en & { refusals: (typeof server)['refusals'] } = {
  frame: { noSuchPage: "Cette page n'existe pas dans votre profil" },
  parts: {
    viewersCannotChange: 'Cette session ne peut que lire.',
    endpointWhy: {
      ...parts.endpointWhy,
      off: {
        ...parts.endpointWhy.off,
        owner: 'par vous',
        owner_inactive: "votre compte n'est pas actif",
      },
      unverified: {
        unverified: 'il ne reçoit encore rien',
        url_changed: "sa nouvelle URL n'est pas encore vérifiée",
      },
    },
    reasons: {
      owner_inactive: {
        title: 'Votre compte était inactif',
        meaning: 'Votre compte était inactif quand la livraison était due.',
        advice: "Quand l'opérateur l'aura activé, renvoyez cette livraison, ou relancez tout ce qui est dû.",
      },
      not_visible: {
        title: 'Hors de votre périmètre',
        meaning: "Le magasin ou la structure de l'événement avait quitté votre périmètre quand la livraison était due.",
        advice: "Rien, si votre périmètre est juste. Sinon, demandez à l'opérateur de l'élargir, puis renvoyez cette livraison.",
      },
      endpoint_unverified: {
        title: 'Endpoint non vérifié',
        meaning: "L'URL avait changé, et la nouvelle n'était pas vérifiée quand la livraison était due.",
        advice: "Vérifiez l'endpoint. Puis renvoyez cette livraison, ou relancez tout ce qui est dû.",
      },
      secret_unreadable: {
        title: 'Secret illisible',
        meaning: "Rien n'a été envoyé, car la livraison n'a pas pu être signée.",
        advice: "La passerelle ne peut pas lire le secret de signature de l'endpoint. Renouvelez-le, ou demandez à l'opérateur.",
      },
      event_missing: {
        title: 'Événement supprimé',
        meaning: "L'événement n'est plus conservé, ni le corps à envoyer.",
        advice: 'La livraison ne peut plus être envoyée.',
      },
    },
    endpointForm: {
      ...parts.endpointForm,
      new: 'Ajouter un endpoint',
      created: 'Endpoint ajouté',
      create: 'Ajouter',
      edit: "Modifier l'endpoint",
      changed: "L'endpoint est modifié.",
      copied: "Je l'ai copié : vérifier l'endpoint",
      eventTypes: 'Événements',
      eventTypesHelp: 'Aucun choisi : tous les événements, même futurs.',
      perimeterHelp: 'Appuyez sur Entrée après chaque identifiant. Aucun : tous les vôtres.',
    },
    problem: { ...parts.problem, overview: 'Votre profil', console: 'Cette page a échoué' },
    retry: { ...parts.retry, title: 'Relancer tout ce qui est dû', onlyOperator: 'Cette session ne peut que lire.' },
  },
  causes: {
    ...causes,
    sentences: {
      ...causes.sentences,
      owner: '{host} a été mis en pause par vous. Rien ne lui est envoyé.',
      inactive_owner: "{host} est arrêté, car votre compte n'est pas actif. Rien ne lui est envoyé.",
      unverified: "{host} n'est pas encore vérifié. Rien ne lui est envoyé.",
      url_changed: "{host} n'est pas vérifié à sa nouvelle URL. Rien ne lui est envoyé.",
      owner_inactive:
        "{host} était arrêté quand la livraison était due, car votre compte était inactif : elle n'a pas été envoyée.",
      not_visible: '{host} ne reçoit rien à ce sujet, sorti de votre périmètre quand la livraison était due.',
    },
  },
  timeline: { resent: 'Renvoyée à la main.' },
  endpointParts: {
    ...endpointParts,
    settings: { ...endpointParts.settings, allTypes: 'tous' },
    state: {
      ...endpointParts.state,
      advice: {
        ...endpointParts.state.advice,
        failing: {
          ...endpointParts.state.advice.failing,
          next: 'Chaque livraison est retentée selon son calendrier. Ses livraisons disent pourquoi ; corrigez le récepteur et relancez maintenant.',
        },
      },
    },
  },
  refusals: {
    read_only_session: () =>
      "Cette session ne peut que lire. Connectez-vous avec votre propre identifiant, ou demandez un autre lien à l'opérateur.",
    wrong_credentials: () => 'La clé API ou son secret est faux.',
    token_unknown: () => "Ce jeton n'existe pas.",
    token_malformed: () => 'Un jeton a la forme numéro|texte : copiez-le en entier.',
    token_revoked: () => 'Ce jeton a été révoqué. Utilisez-en un autre.',
    token_expired: () => 'Ce jeton a expiré. Utilisez-en un autre.',
    user_inactive: () => "Votre compte n'est pas actif. Demandez à l'opérateur.",
    account_inactive: () => "Votre compte n'est pas actif. Demandez à l'opérateur.",
    owner_inactive: () => "Ce compte n'est pas actif. Demandez à l'opérateur.",
    other_partner: () => 'Un autre partenaire est connecté dans ce navigateur.',
    link_unknown: () => "Ce lien n'existe pas. Demandez-en un autre à l'opérateur.",
    link_used: () => "Ce lien a déjà servi : il ne marche qu'une fois. Demandez-en un autre à l'opérateur.",
    address_refused: () =>
      "Le serveur de messagerie n'accepte aucun message pour cette adresse. Elle n'a pas été ajoutée. Vérifiez l'adresse.",
    link_expired: () => "Ce lien a expiré. Demandez-en un autre à l'opérateur.",
  },
  onPage: {
    already_verified:
      "L'endpoint est déjà vérifié, peut-être dans un autre onglet. Rechargez la page. « Envoyer un test » lui envoie un autre événement de test.",
  },
};
