import type { alerts as en } from '../en/alerts.tsx';

export const alerts: typeof en = {
  title: 'Alertes',
  tabs: { settings: 'Réglages', addresses: 'Adresses', messages: 'Messages' },
  unavailable: {
    title: "Aucun e-mail n'est envoyé",
    next: "L'opérateur n'a configuré aucun serveur de messagerie pour les partenaires. Vos choix comptent dès qu'il y en a un.",
  },
  nobody: { title: "Personne n'est averti", next: 'Aucune adresse ne reçoit vos alertes.', add: 'Ajouter une adresse' },
  what: 'Ce qui est envoyé',
  kinds: {
    endpoint_held: { label: 'Un endpoint échoue', help: "Ses livraisons attendent, et rien n'a réussi depuis une minute." },
    endpoint_disabled: {
      label: 'Un endpoint est désactivé',
      help: "Par la passerelle après des jours d'échecs ou un 410 Gone, ou par l'opérateur.",
    },
    endpoint_recovered: { label: 'Un endpoint fonctionne de nouveau', help: 'Envoyé à ceux qui ont été avertis du problème.' },
    credential_expires: {
      label: 'Un jeton ou une clé API prend fin',
      help: "7 jours et 1 jour avant, ou tout de suite s'il reste moins de temps.",
    },
    deliveries_blocked: {
      label: 'Des échecs définitifs bloquent des livraisons',
      help: 'Vers un endpoint ordonné, qui attend que vous les renvoyiez ou les passiez.',
    },
    source_address_changes: {
      label: 'Une adresse des webhooks change',
      help: "Avant que des webhooks viennent d'une autre adresse, ou qu'une adresse ne serve plus.",
    },
    secret_expires: {
      label: 'Un secret de signature prend fin',
      help: "Tant que le nouveau n'est pas confirmé : 7 jours et 1 jour avant, ou tout de suite.",
    },
  },
  language: 'Langue des messages',
  languages: { en: 'anglais', fr: 'français' },
  where: 'Où cela est envoyé',
  ownAddress: (address) => `Votre propre adresse, ${address}`,
  ownAddressHelp: "L'opérateur l'a. Demandez-lui de la changer.",
  confirmed: (count) => (count === 1 ? '1 autre adresse est confirmée.' : `${count} autres adresses sont confirmées.`),
  addresses: 'Adresses',
  sendTest: 'Envoyer un essai',
  tested: (address, answer) => (
    <>
      <b>{address}</b> : {answer}
    </>
  ),
  testTaken: "Le serveur de messagerie a accepté l'essai.",
  testRefused: "Le serveur de messagerie n'a pas accepté tous les essais.",
  saved: 'Enregistré.',
  list: {
    description: 'Une adresse reçoit les alertes une fois que le code qui y est envoyé a été saisi ici. 5 au plus.',
    empty: 'Ajoutez une adresse pour les alertes, par exemple une que votre équipe lit.',
    columns: { address: 'Adresse', state: 'État', added: 'Ajoutée' },
    state: { active: 'confirmée', pending: 'attend son code' },
    codeEnds: "Code valable jusqu'à",
    add: 'Ajouter une adresse',
    address: 'Adresse e-mail',
    addressHelp: 'Un code y est envoyé.',
    codeSent: (address) => `Un code a été envoyé à ${address}. Ouvrez-la dans la liste et saisissez le code.`,
    codeNotSent: (address) => `Le code pour ${address} n'a pas été envoyé.`,
    confirm: 'Saisir le code',
    code: 'Code',
    codeHelp: 'Il se trouve dans le message envoyé à cette adresse. Il sert une seule fois, pendant une heure.',
    isConfirmed: (address) => `${address} reçoit vos alertes.`,
    again: 'Envoyer un autre code',
    remove: 'Supprimer',
    removal: ["Les alertes n'y sont plus envoyées."],
    removed: (address) => `${address} a été supprimée.`,
  },
  history: {
    description: 'Ce qui vous a été dit, et ce que le serveur de messagerie a répondu.',
    empty: "Rien à dire pour l'instant. Les alertes apparaissent ici, avec ce qui a été envoyé et où.",
    columns: { what: 'Quoi', message: 'Message', state: 'État', since: 'Depuis', sent: 'Envoi' },
    names: {
      own_endpoint_held: 'Un endpoint échoue',
      own_endpoint_disabled: 'Un endpoint est désactivé',
      own_token_expires: 'Un jeton expire',
      own_key_expires: 'Une clé API prend fin',
      own_secret_expires: 'Un secret de signature prend fin',
      own_deliveries_blocked: 'Des échecs définitifs bloquent',
      source_address_changes: 'Une adresse des webhooks change',
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
    removed: 'supprimée',
    tells: { opened: 'le début', resolved: 'la fin' },
  },
};
