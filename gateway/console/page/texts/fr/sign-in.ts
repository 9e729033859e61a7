import type { signIn as en } from '../en/sign-in.ts';

export const signIn: typeof en = {
  title: 'Connexion',
  credential: 'Identifiant secret',
  whichCredential:
    "Le jeton d'opérateur que la passerelle affiche au démarrage, ou l'identifiant secret qu'un opérateur a créé pour vous.",
  submit: 'Se connecter',
  lost: "Vous l'avez perdu ? Avec les données de démonstration, le message de démarrage l'affiche. Sinon, c'est la valeur de OPERATOR_TOKEN.",
  wrong: "Aucun opérateur n'a cet identifiant secret. Vérifiez que vous l'avez copié en entier.",
};
