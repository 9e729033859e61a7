import { count } from '../../lib/format.ts';
import type { erasures as english } from '../en/erasures.tsx';

export const erasures: typeof english = {
  title: 'Effacements',
  list: 'Effacements de personnes',
  description:
    "Une personne peut demander à être effacée. Comptez d'abord ce qui serait effacé, puis effacez-le : rien ne le rétablit. Le contenu des événements, des appels, des tentatives et des réponses conservées disparaît ; les ids, les dates, les nombres et le bilan restent.",
  empty: "Personne n'a encore demandé à être effacé.",
  create: 'Compter une personne',
  counting: "Le décompte est en cours. Rien n'est effacé.",
  begun: "L'effacement a commencé.",
  columns: { target: 'Quoi', kind: 'Genre', state: 'État', begun: 'Début', id: 'Id' },
  kind: (isDryRun) => (isDryRun ? 'décompte' : 'effacement'),
  target: {
    number: (end) => `Numéro qui se termine par ${end}`,
    subject: (id) => `Tous les événements de ${id}`,
    events: (events) => `${count(events)} ${events === 1 ? 'événement' : 'événements'}`,
  },
  fields: {
    number: 'Numéro de téléphone',
    numberHelp: "Avec son indicatif de pays. Il est trouvé dans toutes ses écritures usuelles, et n'est pas conservé.",
    numberAgain:
      "À nouveau, car il n'a pas été conservé. Rien ne rétablit ce qui est effacé. Les récepteurs et les sauvegardes qui l'ont le gardent.",
    events: "ou ids d'événements",
    eventsHelp: 'Séparés par des virgules.',
    subject: 'ou un magasin ou une structure',
    subjectHelp: 'Efface le contenu de tous ses événements.',
  },
  erase: 'Effacer maintenant',
  consequences: [
    'Le contenu est retiré de tout ce qui est conservé. Rien ne le rétablit.',
    "Les livraisons en attente de ces événements sont ignorées, et rien n'en est plus jamais envoyé.",
    "Les récepteurs qui l'ont reçu le gardent : demandez-leur de l'effacer aussi. Les sauvegardes le gardent jusqu'à leur suppression.",
  ],
  worksOn: (table) => `Il traite ${table}.`,
  settles: (at) => <>Il attend la fin de ce qui était en cours, à {at}.</>,
  found: {
    counted: 'Perdraient leur contenu',
    erased: 'Ont perdu leur contenu',
    nothing: {
      number: 'Rien de ce qui est conservé ne contient ce numéro.',
      subject: "Aucun événement n'a ce magasin ou cette structure pour sujet, ou tous ont déjà été effacés.",
      events: 'Le contenu de ces événements a déjà été effacé.',
    },
    nothingYet: "Rien n'a été trouvé jusqu'ici.",
  },
  tables: {
    events: 'Événements',
    deliveries: 'Livraisons en attente qui se terminent',
    attempts: 'Tentatives',
    calls: 'Appels',
    idempotency_keys: 'Réponses gardées pour les requêtes répétées',
    sales: 'Ventes',
    payments: 'Paiements',
    audit: "Entrées du journal d'audit",
  },
  receivers: {
    title: (endpoints) => `Endpoints qui l'ont : ${count(endpoints)}`,
    none: "Aucun ne l'a reçu.",
    advice:
      "Demandez à leurs propriétaires de l'effacer aussi. Les partenaires qui lisent eux-mêmes les événements l'ont peut-être également.",
    got: (owner, delivered, attempted) =>
      `${owner === null ? '' : `(${owner}) : `}${count(delivered)} livrées${attempted > 0 ? `, ${count(attempted)} tentées` : ''}`,
  },
};
