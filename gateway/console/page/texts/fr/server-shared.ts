import { causesFr } from '../../../../base/causes/fr.ts';
import type { server as en } from '../en/server.ts';

export const causes: (typeof en)['causes'] = causesFr;

/** The reasons of deliveries and the outcomes of attempts. */
export const reasons: (typeof en)['reasons'] = {
  dns: {
    title: 'Hôte introuvable',
    meaning: "Le nom d'hôte de l'URL n'a pas d'adresse.",
    advice: "Le nom d'hôte de l'endpoint n'a pas d'adresse. Vérifiez l'orthographe de l'URL et le DNS du récepteur.",
  },
  connect: {
    title: 'Pas de connexion',
    meaning: "La connexion a été refusée, ou l'adresse est injoignable.",
    advice:
      "Aucune connexion n'a pu être ouverte. Vérifiez que le récepteur est en marche et que son pare-feu accepte la passerelle.",
  },
  tls: {
    title: 'Échec TLS',
    meaning: "Le certificat ou la version de TLS du récepteur n'a pas été accepté.",
    advice:
      "Le certificat ou la version de TLS du récepteur n'a pas été accepté. Renouvelez le certificat, envoyez toute la chaîne et acceptez TLS 1.2 ou plus récent.",
  },
  timeout: {
    title: 'Délai dépassé',
    meaning: "La réponse n'était pas complète à l'échéance.",
    advice: "Le récepteur n'a pas fini sa réponse avant l'échéance. Répondez d'abord, puis faites le travail.",
  },
  reset: {
    title: 'Connexion perdue',
    meaning: 'La connexion a été fermée avant la fin de la réponse.',
    advice:
      "La connexion a été fermée avant la fin de la réponse. Cherchez une panne du récepteur, et vérifiez les limites d'un éventuel proxy devant lui.",
  },
  status: {
    title: 'Réponse {status}',
    meaning: 'Le récepteur a répondu {status}.',
    advice: 'Le récepteur a répondu {status}. La réponse enregistrée peut dire pourquoi.',
  },
  redirect: {
    title: 'Redirection ({status})',
    meaning: 'Le récepteur a répondu {status}, une redirection.',
    advice:
      "Le récepteur a répondu {status}, une redirection. Les redirections ne sont jamais suivies : donnez à l'endpoint l'URL définitive.",
  },
  gone: {
    title: 'Disparu (410)',
    meaning: 'Le récepteur ne veut plus de livraisons.',
    advice:
      "Le récepteur a répondu 410 Gone, donc son endpoint a été désactivé. Réactivez l'endpoint quand le récepteur veut de nouveau des livraisons.",
  },
  blocked_address: {
    title: 'Adresse interdite',
    meaning: "Rien n'a été envoyé : les livraisons ne vont qu'à des adresses publiques, par https.",
    advice:
      "L'adresse de l'endpoint n'est pas publique, ou son URL n'est pas en https. Donnez une URL https à une adresse publique.",
  },
  response_too_large: {
    title: 'En-têtes trop grands',
    meaning: 'Les en-têtes de la réponse sont trop grands.',
    advice:
      'Les en-têtes de la réponse dépassent ce que la passerelle lit. Répondez avec des en-têtes moins nombreux ou plus courts.',
  },
  protocol: {
    title: 'HTTP invalide',
    meaning: "La réponse n'était pas du HTTP valide.",
    advice: "La réponse n'était pas du HTTP valide. Vérifiez que l'URL mène à un serveur web.",
  },
  secret_unreadable: {
    title: 'Secret illisible',
    meaning: "Rien n'a été envoyé, car la livraison n'a pas pu être signée.",
    advice:
      "Le secret de signature de l'endpoint ne peut pas être déchiffré, car la clé maître a changé. Rétablissez l'ancienne clé, ou renouvelez le secret.",
  },
  unknown: {
    title: 'Autre erreur',
    meaning: "La tentative a échoué avec une erreur qui n'appartient à aucune classe connue.",
    advice: "La tentative a échoué avec une erreur qui n'appartient à aucune classe connue. Lisez le message d'erreur.",
  },
  endpoint_disabled: {
    title: 'Endpoint en pause ou désactivé',
    meaning: "L'endpoint était en pause ou désactivé quand la livraison était due.",
    advice:
      "Reprenez l'endpoint, ce qui l'active. Puis renvoyez cette livraison, ou relancez toutes les livraisons non envoyées.",
  },
  endpoint_deleted: {
    title: 'Endpoint supprimé',
    meaning: "L'endpoint a été supprimé avant l'envoi de la livraison.",
    advice: "Rien n'est envoyé à un endpoint supprimé. Créez-en un nouveau si le récepteur veut encore ses événements.",
  },
  endpoint_unverified: {
    title: 'Endpoint non vérifié',
    meaning:
      "L'URL de l'endpoint avait changé, et son propriétaire n'avait pas vérifié la nouvelle quand la livraison était due.",
    advice: "Vérifiez l'endpoint. Puis renvoyez cette livraison, ou relancez toutes les livraisons non envoyées.",
  },
  owner_inactive: {
    title: 'Propriétaire inactif',
    meaning: "Le compte ou l'utilisateur auquel l'endpoint appartient était inactif quand la livraison était due.",
    advice:
      'Activez le propriétaire, ce qui active ses endpoints. Puis renvoyez cette livraison, ou relancez toutes les livraisons non envoyées.',
  },
  not_visible: {
    title: 'Invisible pour le propriétaire',
    meaning:
      "Le magasin ou la structure de l'événement avait quitté le périmètre du propriétaire de l'endpoint quand la livraison était due.",
    advice: 'Rien, si le périmètre est juste. Sinon, élargissez-le, puis renvoyez cette livraison.',
  },
  event_missing: {
    title: 'Événement supprimé',
    meaning: "La durée de conservation de l'événement est passée : il a été supprimé avec le corps à envoyer.",
    advice:
      'La livraison ne peut plus être envoyée. Si des récepteurs sont longtemps indisponibles, conservez les événements plus longtemps (DELIVERY_RETENTION_HOURS).',
  },
  lost: {
    title: 'Perdue par une panne',
    meaning: "Une panne du simulateur a perdu le webhook, comme un service qui accepte un appel et n'envoie jamais son webhook.",
    advice: 'Renvoyez cette livraison, ou retirez la panne.',
  },
  resend: {
    title: 'Renvoyée',
    meaning: "Une tentative de plus d'une livraison terminée a été demandée.",
    advice: null,
  },
  brought_forward: {
    title: 'Avancée',
    meaning: 'La tentative suivante a été demandée pour maintenant. Le calendrier continue ensuite.',
    advice: null,
  },
  recover: {
    title: 'Relancée',
    meaning: 'Une relance renvoie cette livraison.',
    advice: null,
  },
  retry_now: {
    title: 'Relancée maintenant',
    meaning: 'Une relance a demandé la tentative suivante maintenant. Le calendrier continue ensuite.',
    advice: null,
  },
  secret_test: {
    title: 'Teste le nouveau secret',
    meaning: 'Un événement de test que seul le secret le plus récent signe.',
    advice: null,
  },
  verification: {
    title: "Vérifie l'endpoint",
    meaning: "Un événement de test pour un endpoint qui n'est pas encore vérifié. Il a une seule tentative.",
    advice: null,
  },
};

/** What each type of event of a service means. */
export const events: (typeof en)['events'] = {
  'sale.completed': 'Une vente est terminée',
  'payment.received': 'Un paiement a été reçu',
  'inventory.low': 'Stock faible : une quantité a atteint son seuil ou est passée dessous',
  'sync.completed': 'Synchronisation terminée : les quantités comptées ont remplacé celles enregistrées',
  'intervention.validated': 'Intervention validée (passée à approuve)',
  'intervention.terminated': 'Intervention terminée',
  'intervention.suspended': 'Intervention suspendue',
  'indicator.alert': 'Indicateur en alerte (sous-performance ou surperformance)',
  'plan.closed': 'Plan annuel clôturé',
  'rapport.ready': 'Rapport généré disponible',
};

/** Refusals that every viewer can meet. */
export const refusals: (typeof en)['refusals'] = {
  not_found: () => "Rien n'a été trouvé à cette adresse. L'identifiant est peut-être faux, ou l'objet n'est plus conservé.",
  unavailable: () => "La passerelle ne peut pas atteindre sa base. Rien n'a été fait ; réessayez.",
  overloaded: (retryAfterSeconds) =>
    `Il arrive plus d'appels que la passerelle ne peut en traiter. Rien n'a été fait. Réessayez dans ${retryAfterSeconds} s.`,
  query_timeout: () =>
    "La requête a pris trop de temps ; rien n'a été fait. Demandez moins, par exemple une période plus courte, ou réessayez plus tard.",
  rate_limited: (retryAfterSeconds) =>
    retryAfterSeconds === null
      ? "La limite d'appels est atteinte. Réessayez plus tard."
      : `La limite d'appels est atteinte. Réessayez dans ${retryAfterSeconds} s.`,
  session_expired: () => 'Cette session est terminée. Connectez-vous de nouveau.',
  body_too_large: () => 'La requête est trop grande.',
};

/** What is wrong with a field, by the rule of the refusal's detail. */
export const rules: (typeof en)['rules'] = {
  too_small: 'Cette valeur manque, ou elle est trop petite.',
  too_big: 'Cette valeur est trop longue ou trop grande.',
  invalid_type: "Cette valeur manque, ou elle n'est pas de la forme attendue.",
  invalid_format: "Cette valeur n'est pas de la forme attendue.",
  invalid_value: "Cette valeur n'est pas dans la liste des valeurs possibles.",
  not_blank: 'Écrivez au moins un caractère visible.',
  well_formed_text: 'Ce texte contient un caractère de contrôle.',
  visible_text: 'Ce texte contient un caractère invisible ou trompeur.',
  future: 'Choisissez un moment à venir.',
  url: "Ce n'est pas une URL complète, comme https://example.com/webhooks.",
  url_credentials:
    "L'URL contient un nom d'utilisateur ou un mot de passe, que les enregistrements montreraient. Retirez-les : les livraisons sont signées.",
  url_not_public: 'Les livraisons ne vont pas à cette adresse. Donnez une URL https à une adresse publique.',
  unknown_event: "Ce type d'événement n'existe pas.",
  not_an_id: "Ce n'est pas un identifiant. Pour les avoir tous, laissez le champ vide.",
  not_visible: 'Un de ces identifiants est inconnu, ou vous ne pouvez pas le voir.',
  unknown_field: "Ce champ ou ce filtre n'existe pas.",
  not_empty: 'Rien à modifier : donnez au moins un champ.',
  after_from: 'La fin de la période doit être après son début.',
  date: "Ce n'est pas une date du calendrier.",
  too_long: 'Ce texte est trop long.',
  header_name: "Ce n'est pas le nom d'un en-tête, comme X-Api-Key.",
  reserved_header: 'La passerelle envoie cet en-tête elle-même. Choisissez un autre nom.',
  repeated: 'Ce nom est donné deux fois.',
  value_missing: "Aucune valeur n'est enregistrée pour cette URL. Donnez-la.",
  credentials_needed:
    "L'URL a un autre hôte, et les valeurs enregistrées n'y sont pas envoyées. Donnez-les de nouveau, ou retirez-les.",
  not_ordered: "Ce choix n'a d'effet que si les livraisons sont ordonnées.",
  too_many_pairs: "Trop d'événements et d'identifiants à la fois. Choisissez-en moins, ou créez plusieurs endpoints.",
  outside_perimeter: "Une de ces structures n'existe pas, ou n'est pas dans votre périmètre.",
  stronger_token: 'Un jeton ne peut pas en créer un qui peut plus que lui ou vit plus longtemps.',
};
