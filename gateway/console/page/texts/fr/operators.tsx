import type { ReactNode } from 'react';
import type { operators as en } from '../en/operators.tsx';

export const operators: typeof en = {
  title: 'Opérateurs',
  builtIn: {
    title: "L'opérateur intégré n'est pas dans cette liste",
    text: (name: ReactNode) => (
      <>
        Son identifiant secret est le jeton affiché par la passerelle à son premier démarrage, ou le réglage OPERATOR_TOKEN. Il
        fonctionne toujours, pour que personne ne perde l'accès. Les enregistrements le nomment {name}.
      </>
    ),
    isYou: 'Vous êtes connecté avec lui.',
    advice:
      'Donnez plutôt à chaque personne son propre identifiant secret : les enregistrements montrent alors qui a fait quoi, et vous pouvez le désactiver.',
  },
  list: 'Opérateurs et lecteurs',
  description:
    "Les opérateurs et les lecteurs se connectent ici, ou envoient leur identifiant secret comme jeton bearer à l'API de gestion. Changer le rôle ou désactiver met fin à leurs sessions.",
  empty: 'Créez-en un pour chaque personne qui travaille avec cette passerelle.',
  role: { viewer: 'lecteur', operator: 'opérateur' },
  you: (name: string) => `${name} (vous)`,
  columns: { name: 'Nom', role: 'Rôle', state: 'État', used: 'Dernier usage', made: 'Création' },
  facts: { role: 'Rôle', state: 'État', used: 'Dernier usage', created: 'Création', calls: 'Appels', id: 'Id' },
  neverUsed: 'jamais',
  theirChanges: 'ses changements',
  fields: {
    name: 'Nom',
    role: 'Rôle',
    roleHelp: 'Les opérateurs peuvent tout faire. Les lecteurs peuvent seulement lire.',
  },
  create: 'Nouvel opérateur',
  created: (name: string) => `${name} a été créé.`,
  credentialOf: (name: string) => `l'identifiant secret de ${name}`,
  edit: 'Modifier',
  hasRole: {
    viewer: (name: string) => `${name} est lecteur.`,
    operator: (name: string) => `${name} est opérateur.`,
  },
  rotate: "Renouveler l'identifiant secret",
  rotation: [
    "L'identifiant secret actuel et ses sessions prennent fin immédiatement.",
    'Le nouvel identifiant secret est affiché une fois, à vous.',
  ],
  rotated: (name: string) => `${name} a un nouvel identifiant secret.`,
  newCredentialOf: (name: string) => `le nouvel identifiant secret de ${name}`,
  deactivate: 'Désactiver',
  deactivation: ['Ses sessions prennent fin immédiatement, et son identifiant secret est refusé.', 'Vous pouvez le réactiver.'],
  deactivated: (name: string) => `${name} n'est plus actif.`,
  activate: 'Activer',
  activated: (name: string) => `${name} est de nouveau actif, avec le même identifiant secret.`,
};
