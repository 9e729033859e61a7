import type { partners as en } from '../en/partners.tsx';

const otherNames = 'Les noms des magasins et des structures ont aussi été cherchés.';

export const partners: typeof en = {
  kinds: { account: 'compte', user: 'utilisateur' },
  inactive: 'inactif',
  filter: { label: 'Partenaire', placeholder: "partie d'un nom" },
  owner: {
    label: 'Propriétaire',
    help: "Le compte ou l'utilisateur à qui il appartient. Il ne reçoit que ce que son propriétaire peut voir. Vide : l'opérateur.",
    placeholder: "partie d'un nom",
    nobody: (name) => `Aucun compte ni utilisateur n'a « ${name} » dans son nom.`,
    none: "Il n'y a encore ni compte ni utilisateur.",
    searching: 'Recherche …',
    more: "D'autres correspondent : précisez le nom.",
  },
  noMatch: {
    nobody: (name) => `Aucun compte ni utilisateur n'a « ${name} » dans son nom.`,
    elsewhere: {
      calls: 'Les noms des jetons ont aussi été cherchés.',
      deliveries: otherNames,
      endpoints: otherNames,
      events: otherNames,
    },
    known: (names, more) =>
      `Trouvé par ce nom : ${names}${more ? " et d'autres" : ''}. La liste n'a rien d'eux avec ces filtres.`,
    inactive: (names) => `Rien n'est envoyé à leurs endpoints, car ils ne sont pas actifs : ${names}.`,
  },
  rows: {
    label: 'Afficher',
    endpoints: 'ses endpoints',
    deliveries: 'ses livraisons',
    calls: 'ses appels',
  },
  links: {
    title: 'Liens vers le profil',
    open: 'Lien de profil',
    of: (name) => `Profil de ${name}`,
    about:
      "Un lien connecte le partenaire à son profil une seule fois, sans identifiant secret. La première personne qui l'ouvre est connectée : envoyez-le seulement au partenaire.",
    empty: 'Aucun lien depuis un jour. Créez-en un, et envoyez-le au partenaire.',
    create: 'Créer un lien',
    created: 'Le lien a été créé.',
    secret: (name) => `le lien pour ${name}`,
    expires: 'Il peut être ouvert pendant',
    expiresHelp: "La session qu'il ouvre dure aussi longtemps que toute autre.",
    lifetimes: { 15: '15 minutes', 60: '1 heure', 480: '8 heures', 1440: '1 jour', 10080: '7 jours' },
    readOnly: 'Lecture seule',
    readOnlyHelp: 'La session ne peut rien changer.',
    state: 'État',
    used: (at) => <>ouvert : {at}</>,
    usable: (until) => <>utilisable jusqu'à : {until}</>,
    ended: 'expiré ou révoqué',
    reading: 'en lecture seule',
    by: 'Créé par',
    revocation: "Le lien n'ouvre plus rien, et la session qu'il a ouverte se termine aussitôt.",
    wasRevoked: 'Le lien a été révoqué, et sa session est terminée.',
  },
};
