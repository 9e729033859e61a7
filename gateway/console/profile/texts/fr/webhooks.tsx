import type { webhooks as en } from '../en/webhooks.tsx';

export const webhooks: typeof en = {
  title: 'Webhooks',
  list: "Vos endpoints, le plus récent d'abord",
  about: 'Un endpoint est une de vos URL. La passerelle lui envoie les événements que vous choisissez, signés.',
  create: 'Ajouter un endpoint',
  none: {
    title: "Aucun endpoint pour l'instant",
    next: 'Écrivez un récepteur, ou collez un exemple ci-dessous. Puis ajoutez son URL et vérifiez-la : il reçoit alors vos événements.',
  },
  columns: { endpoint: 'Endpoint', state: 'État', events: 'Événements', created: 'Créé' },
  allEvents: 'tous',
  form: {
    subjects: { account: 'Magasins', user: 'Structures' },
    changedUrl: 'Une autre URL doit être vérifiée de nouveau avant que des événements lui soient envoyés.',
  },
  verify: {
    title: "Cet endpoint n'est pas encore vérifié",
    why: "Il ne reçoit aucun événement avant d'avoir accepté un événement de test signé. Démarrez votre récepteur avec le secret, puis vérifiez.",
    button: 'Vérifier maintenant',
    again: 'Vérifier de nouveau',
    waiting: "Envoi d'un événement de test signé, en attente de la réponse…",
    done: "L'endpoint est vérifié. Il reçoit désormais vos événements.",
    failed: "L'endpoint n'est pas vérifié",
    noAttempt:
      "Aucune tentative n'a fini à temps : la passerelle est occupée, ou l'endpoint a été modifié. Vérifiez de nouveau dans une minute.",
    gone: 'Le récepteur a répondu 410 Gone : il ne veut pas de livraisons. Une vérification demande une réponse 2xx. Corrigez cela, puis vérifiez de nouveau.',
    redirect: (status) =>
      `Le récepteur a répondu ${status}, une redirection, qui n'est jamais suivie. Donnez l'URL définitive, ou corrigez le récepteur. Puis vérifiez de nouveau.`,
    unreached: (why) => <>Le récepteur n'a pas pu être joint comme il faut : {why}. Corrigez cela, puis vérifiez de nouveau.</>,
    refused: (status, compare) => (
      <>
        Le récepteur a répondu {status} au lieu de 2xx. S'il a refusé la signature, « {compare} » dit pourquoi. Puis vérifiez de
        nouveau.
      </>
    ),
    response: 'Réponse',
    delivery: 'Voir la livraison',
  },
  samples: {
    title: 'Un récepteur, prêt à coller',
    about: "Un programme entier qui vérifie les signatures et répond. Il lit le secret de l'endpoint dans SECRET.",
    language: 'Langage',
    code: (name) => `Récepteur en ${name}`,
  },
  deliveries: 'Ses livraisons',
};
