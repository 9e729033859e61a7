import { plural } from '../../../page/lib/format.ts';
import type { you as en } from '../en/you.tsx';

export const you: typeof en = {
  title: 'Vous',
  menu: 'Votre compte',
  kinds: { account: 'Compte de point de vente', user: 'Utilisateur de la cohésion sociale' },
  credentials: { key: 'une clé API', token: "un jeton d'accès", link: 'un lien' },
  readOnly: {
    title: 'Cette session ne peut que lire',
    next: "Pour modifier quelque chose, connectez-vous avec votre propre identifiant, ou demandez un autre lien à l'opérateur.",
  },
  who: 'Qui vous êtes',
  name: 'Nom',
  kind: 'Nature',
  id: 'Identifiant',
  role: 'Rôle',
  signedInWith: 'Connecté avec',
  sessionEnds: 'Fin de la session',
  atFraction: (at, ago) => (
    <>
      {at} ({ago})
    </>
  ),
  stores: 'Magasins',
  structures: 'Structures',
  all: 'toutes',
  none: 'aucune',
  plan: 'Formule',
  use: {
    title: 'Utilisation de vos limites',
    none: "Aucun appel dans les dernières 24 heures, donc rien n'est utilisé.",
    notLimited: "Aucune limite n'a compté vos appels des dernières 24 heures.",
    plan: (calls, seconds) =>
      calls === null
        ? 'Votre formule est sans limite.'
        : `Votre formule permet ${plural(calls, 'appel')} en ${seconds} secondes.`,
    caller: (name) => `Jeton ${name}`,
    days: 'Appels par jour',
    day: 'Jour (UTC)',
    calls: 'Appels',
    refused: 'Refusés par une limite',
    noCalls: "Aucun appel pour l'instant. Vos appels à l'API sont comptés ici.",
  },
};
