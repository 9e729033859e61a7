import type { frame as en } from '../en/frame.ts';

export const frame: typeof en = {
  skipToList: 'Aller à la liste',
  skipToContent: 'Aller au contenu',
  menu: 'Ouvrir le menu',
  pages: 'Pages de la console',
  notFound: 'Page introuvable',
  noSuchPage: "Cette page n'existe pas",
  notLoaded: {
    title: "Cette page n'a pas pu être chargée",
    next: 'La passerelle redémarre ou vient peut-être de changer de version. Rechargez la page.',
  },
  use: { light: 'Passer aux couleurs claires', dark: 'Passer aux couleurs sombres' },
  signedInAs: (name) => `Session de ${name}`,
  roles: { operator: 'opérateur', viewer: 'lecteur' },
  /** Why somebody has to sign in. */
  session: {
    ended: { expired: 'Votre session est terminée', 'signed out': 'Vous avez fermé la session dans un autre onglet' },
    again: 'Connectez-vous de nouveau pour revenir à cette page.',
    unavailable: 'La passerelle ne peut pas répondre',
  },
  signOut: 'Se déconnecter',
  quickSearch: {
    label: 'Aller à un identifiant, ou chercher les appels avec un texte',
    placeholder: 'Identifiant, référence ou texte (g)',
  },
  shortcuts: {
    title: 'Raccourcis clavier',
    enter: 'Entrée',
    search: 'Chercher dans cette liste',
    goTo: 'Aller à un identifiant',
    nextRow: 'Ligne suivante',
    previousRow: 'Ligne précédente',
    openRow: 'Ouvrir la ligne',
    next: 'Livraison, appel, événement ou endpoint suivant',
    previous: 'Livraison, appel, événement ou endpoint précédent',
    resend: 'Renvoyer la livraison',
    live: 'Activer ou arrêter le direct',
    zone: "Afficher toutes les heures en UTC, ou à l'heure locale",
    help: 'Afficher cette aide',
  },
  zone: {
    local: 'Locale',
    inUtc: "Toutes les heures sont en UTC. Afficher l'heure locale (u)",
    inLocal: (zone) => `Toutes les heures sont à l'heure locale (${zone}). Afficher l'heure UTC (u)`,
  },
};
