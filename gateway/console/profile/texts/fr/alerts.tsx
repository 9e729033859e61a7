import type { alerts as en } from '../en/alerts.tsx';

export const alerts: typeof en = {
  title: 'Alertes',
  tabs: { address: 'Adresse', messages: 'Messages' },
  unavailable: {
    title: "Aucun e-mail n'est envoyé",
    next: "L'opérateur n'a configuré aucun serveur de messagerie pour les partenaires. Les alertes sont envoyées dès qu'il y en a un.",
  },
  address: {
    title: 'Où vos alertes sont envoyées',
    help: "Vous êtes averti quand un de vos endpoints échoue, est désactivé ou a des échecs définitifs, et quand c'est fini. Un code est d'abord envoyé à l'adresse.",
    label: 'Adresse e-mail',
    language: 'Langue des messages',
    languages: { en: 'anglais', fr: 'français' },
    sendCode: 'Envoyer le code',
    codeSent: "Saisissez le code qui est envoyé à l'adresse.",
    codeNotSent: "Le code n'a pas été envoyé.",
    code: 'Code',
    codeHelp: (address, ends) => (
      <>
        Il se trouve dans le message envoyé à {address}. Il sert une seule fois, jusqu'à {ends}.
      </>
    ),
    confirm: 'Confirmer',
    isConfirmed: (address) => `${address} reçoit vos alertes.`,
    save: 'Enregistrer',
    saved: 'Enregistré.',
    remove: "Retirer l'adresse",
    removed: "L'adresse a été retirée.",
  },
  history: {
    description: 'Ce qui vous a été dit, et ce que le serveur de messagerie a répondu.',
    empty: "Rien à dire pour l'instant. Les alertes apparaissent ici, avec ce qui a été envoyé.",
    columns: { what: 'Quoi', message: 'Message', state: 'État', since: 'Depuis', sent: 'Envoi' },
    names: {
      endpoint_failing: 'Un endpoint ne reçoit rien',
      endpoint_disabled: 'Un endpoint est désactivé',
      dead_letters: 'Des livraisons en échec définitif',
    },
    over: 'Fin',
    notOver: 'non',
    show: 'Afficher',
    about: 'Objet',
  },
  sent: {
    title: 'Messages',
    none: "Rien n'a été envoyé.",
    columns: { channel: 'Adresse', tells: 'Annonce', state: 'État', answer: 'Réponse du serveur', when: 'Quand' },
    to: 'votre adresse',
    tells: { opened: 'le début', resolved: 'la fin' },
  },
};
