import type { story as en } from '../en/story.tsx';

export const story: typeof en = {
  title: 'Parcours',
  search: "Un identifiant, une référence, une clé d'idempotence, ou tout texte d'un appel ou d'un événement",
  show: 'Afficher le parcours',
  start: "Qu'est-il arrivé à une vente ?",
  startHow:
    "Saisissez sa référence ou son identifiant. L'identifiant d'un appel (x-request-id), d'un événement (webhook-id) ou d'une livraison convient aussi.",
  nothing: "Rien n'a été trouvé",
  nothingHow: "Aucun appel et aucun événement n'a cet identifiant ou ce texte. Les majuscules et les minuscules comptent.",
  nothingSoFar:
    "Aucun appel et aucun événement n'a cet identifiant ou ce texte jusqu'ici. Les majuscules et les minuscules comptent.",
  cut: "Ce n'est pas tout",
  cutHow: "Il y a plus d'événements, de livraisons ou de tentatives qu'un parcours n'en affiche.",
  listDeliveries: 'Lister les livraisons',
  further: 'Chercher plus loin',
  axis: {
    label: "Ce qui s'est passé, dans l'ordre du temps",
    afterFirst: 'Après la première ligne',
    call: 'Appel',
    callNotKept: (id) => <>L'appel {id} n'est plus conservé. Ses changements le sont.</>,
    tookBy: (time, caller) => `${time}, par ${caller}`,
    event: 'Événement',
    unwanted: "aucun endpoint ne l'attend",
    causedBy: (cause) => `cause : ${cause}`,
    delivery: 'Livraison',
    attempt: (number) => `Tentative ${number}`,
    tookManual: (time) => `${time}, demandée par un opérateur`,
  },
};
