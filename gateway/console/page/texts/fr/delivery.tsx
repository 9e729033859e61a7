import { count, form, plural } from '../../lib/format.ts';
import type { delivery as en } from '../en/delivery.tsx';

export const delivery: typeof en = {
  title: 'Livraison',
  deliveries: 'Livraisons',
  test: 'test',
  testMeans: "Un événement de test : rien ne s'est produit.",
  requestBody: 'Corps de la requête',
  attempt: (number) => `Tentative ${number}`,
  noAttempts: {
    yet: 'Pas encore de tentative.',
    made: "Aucune tentative n'a été faite.",
    kept: 'Ses tentatives ne sont plus conservées.',
  },
  now: 'maintenant',
  in: (time) => `dans ${time}`,

  summary: {
    nextAttempt: 'Prochaine tentative',
    waitingInTurn: 'attend son tour',
    delivered: 'Livrée',
    ended: 'Terminée',
    to: (endpoint) => <>Vers {endpoint}</>,
    deleted: (endpoint) => `${endpoint} (supprimé)`,
    attempts: 'Tentatives',
    lastResponse: 'Dernière réponse',
    owner: 'Propriétaire',
    created: 'Créée',
    delivery: 'Livraison',
    event: 'Événement',
    allDeliveries: 'toutes les livraisons',
    call: 'Appel',
    deliveredAtFirst: (time) => `Livrée à la première tentative, ${time} après l'événement.`,
    deliveredAt: (attempt, time) => `Livrée à la tentative ${attempt}, ${time} après l'événement.`,
  },

  timeline: {
    title: 'Chronologie',
    happened: (event) => `${event} a eu lieu`,
    notKept: (last) =>
      last === 1 ? "La tentative 1 n'est plus conservée." : `Les tentatives 1 à ${last} ne sont plus conservées.`,
    waited: (time) => `attente de ${time}`,
    waitedBecause: (time, why) => `attente de ${time} · ${why}`,
    delivered: 'livrée',
    manual: 'manuelle',
    nextAttempt: (when) => <>Prochaine tentative {when}</>,
    nextAttemptInTurn: 'La prochaine tentative attend son tour',
    notRetried: "Il n'y a pas d'autre tentative.",
    inTurn: "Attend son tour : d'autres livraisons vers cet endpoint passent avant.",
    asSoonAsPossible: 'La première tentative est faite dès que possible.',
    late: (time) => (time ? `Dont ${time} après le moment prévu.` : "L'envoi était prévu aussitôt."),
    holdEnded: "L'endpoint fonctionnait de nouveau, d'où l'envoi avant le moment prévu.",
    resent: 'Renvoyée par un opérateur.',
  },

  details: {
    copyAsCurl: 'Copier en curl',
    sentTo: 'Envoyée à',
    address: 'Adresse',
    noAddress: 'aucune',
    connection: 'Connexion',
    connections: { new: 'nouvelle', reused: 'réutilisée', none: 'aucune' },
    secret: 'Secret de signature',
    secrets: "Secrets de signature, le plus récent d'abord",
    response: 'Réponse',
    noResponse: 'Aucune réponse.',
    responseBody: 'Corps de la réponse',
    incomplete: "Incomplète : la réponse était trop longue pour être conservée, ou s'est arrêtée trop tôt.",
    responseHeaders: 'En-têtes de la réponse',
    request: 'Requête',
    bytes: (bytes) => `${plural(bytes, 'octet', 'octets')}, les mêmes à chaque tentative`,
    requestHeaders: 'En-têtes de la requête',
    bodyNotKept: "L'événement et son corps ne sont plus conservés.",
  },

  phases: {
    label: (attempt) => `Phases de la tentative ${attempt}`,
    none: "Aucune durée : rien n'a été envoyé.",
    total: 'Total',
    noResponse: 'requête envoyée, aucune réponse',
    names: { dns: 'DNS', connect: 'Connexion', tls: 'TLS', wait: 'Attente', body: 'Corps', open: 'Pas de connexion' },
    meanings: {
      dns: "recherche de l'adresse",
      connect: 'connexion TCP',
      tls: 'négociation TLS',
      wait: "requête envoyée, jusqu'au premier octet de la réponse",
      body: 'reste de la réponse',
      open: "aucune connexion n'a pu être ouverte",
    },
  },

  resend: {
    label: 'Renvoyer',
    title: 'Renvoyer cette livraison ?',
    confirm: 'Envoyer maintenant',
    done: 'Renvoyée. La tentative apparaîtra ci-dessous.',
    sameRequest: 'Le récepteur reçoit le même webhook-id et le même corps, avec une nouvelle signature.',
    single: 'Une seule tentative est faite. Si elle échoue, la livraison est échouée et ne sera pas relancée.',
    pending: "La prochaine tentative est faite maintenant au lieu de l'heure prévue. Les suivantes continuent ensuite.",
    delivered: 'Elle a déjà été livrée. Un récepteur qui vérifie le webhook-id ignore le doublon.',
    skipped: "Elle n'a pas encore été envoyée.",
  },

  skip: {
    label: 'Passer',
    title: 'Passer cette livraison ?',
    confirm: 'La passer',
    done: 'Passée. Les suivantes sont envoyées.',
    consequences: [
      "Elle est échouée et ne sera pas relancée. Vous pourrez l'envoyer de nouveau.",
      'Les livraisons suivantes sont envoyées. Leur récepteur voit le trou dans webhook-previous-id.',
    ],
  },

  inOrder: {
    waits: (first, hasFailed) => (
      <>
        Elle attend {first}, qui passe d'abord{hasFailed ? ' et a échoué : renvoyez-la ou passez-la' : ''}.
      </>
    ),
    holdsBack: (waiting, more) =>
      `${more ? 'Au moins ' : ''}${form(waiting, `${count(waiting)} livraison l'attend`, `${count(waiting)} livraisons l'attendent`)}.`,
    skipped: (by, at) => (
      <>
        Passée par {by}, {at}. Les suivantes ont été envoyées.
      </>
    ),
    operator: 'un opérateur',
    owner: "le propriétaire de l'endpoint",
  },

  compare: {
    title: 'Comparer avec le récepteur',
    intro: "Le récepteur refuse-t-il la signature ? Collez ce qu'il a reçu pour voir ce qui ne va pas et comment le corriger.",
    open: 'Comparer',
    close: 'Fermer',
    body: 'Corps brut reçu',
    bodyHelp: 'Octet pour octet. Vide : comme envoyé.',
    headers: 'En-têtes de signature reçus',
    headersHelp: 'Un par ligne, ou seulement la signature. Vide : comme envoyés.',
    secret: 'Secret du récepteur (facultatif)',
    secretHelp: "Sert à cette comparaison seulement. Il n'est ni conservé ni enregistré.",
    submit: 'Comparer',
    submitWith: (attempt) => `Comparer avec la tentative ${attempt}`,
  },

  diagnosis: {
    valid: 'La signature est valide',
    invalid: 'La signature ne correspond pas',
    fix: 'Correction en Node.js',
    compared: 'Comparé',
    parts: { body: 'Corps', headers: 'En-têtes', secret: 'Secret' },
    part: (name, result) => (
      <>
        {name} : {result}
      </>
    ),
    same: 'identique',
    different: 'différent',
    notCompared: 'non comparé',
    replay:
      "Cette signature ne couvre pas l'heure : la même requête pourrait être rejouée. L'en-tête webhook-signature la couvre.",
    proved: "L'erreur :",
    suspected: 'Probablement :',
  },
};
