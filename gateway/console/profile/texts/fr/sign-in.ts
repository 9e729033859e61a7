import type { signIn as en } from '../en/sign-in.ts';

export const signIn: typeof en = {
  title: 'Connexion à votre profil',
  intro: "Avec les identifiants que vous utilisez pour l'API.",
  with: 'Se connecter avec',
  kinds: { key: 'Clé API', token: "Jeton d'accès", link: 'Lien' },
  apiKey: 'Clé API',
  apiSecret: 'Secret de la clé',
  token: "Jeton d'accès",
  tokenHelp: "Un jeton d'accès personnel de l'API de cohésion sociale, de la forme numéro|texte.",
  link: 'Lien',
  linkHelp: "Le lien qu'un opérateur vous a donné. Il ne marche qu'une fois.",
  linkOpening: 'Connexion avec votre lien…',
  linkFailed: 'Ce lien ne vous connecte pas',
  submit: 'Se connecter',
  lost: "Vous avez perdu vos identifiants ? Demandez un lien à l'opérateur de cette passerelle.",
  replaced: {
    title: 'Un autre partenaire est connecté',
    what: "Dans un autre onglet de ce navigateur, un autre partenaire s'est connecté. Cet onglet n'a rien fait en son nom.",
    go: 'Montrer qui est connecté maintenant',
  },
  docs: 'Documentation',
};
