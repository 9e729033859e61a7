import { plural } from '../../lib/format.ts';
import type { events as en } from '../en/events.ts';

export const events: typeof en = {
  title: 'Événements',
  list: 'Événements, du plus récent au plus ancien',
  view: 'Affichage',
  views: { events: 'Événements', catalogue: 'Catalogue' },
  noMatch: { title: 'Aucun événement ne correspond', next: 'Retirez un filtre, ou choisissez une durée plus longue.' },
  none: {
    title: "Aucun événement pour l'instant",
    next: "Un événement est créé quand quelque chose se produit dans le point de vente ou dans Cohesion, même si aucun endpoint n'y est abonné. Lancez cette commande pour un premier :",
  },
  filters: {
    text: { label: "Contenu, ou id d'événement", placeholder: 'une référence, evt_… (/)' },
    type: 'Type',
    time: 'Période',
    service: 'Service',
    subject: { label: 'Sujet', placeholder: 'id de magasin ou de structure' },
    fanOut: 'Diffusion',
    unmatched: 'aucun endpoint ne correspond',
  },
  columns: { time: 'Heure', type: 'Type', service: 'Service', subject: 'Magasin ou structure', fanOut: 'Diffusion' },
  fanOut: { pending: 'en attente', none: 'aucun endpoint', endpoints: (matched) => plural(matched, 'endpoint') },
  catalogue: {
    title: 'Catalogue des événements',
    services: { pos: 'Point de vente', cohesion: 'Cohésion sociale', operator: "Événements pour l'opérateur" },
    events: 'Événements de ce type',
    deliveries: 'Livraisons de ce type',
    example: 'Exemple de données',
    gaps: 'Dépend des choix faits pour :',
    fields: 'Champs des données',
    columns: { field: 'Champ', type: 'Type', meaning: 'Signification' },
    optional: 'facultatif',
  },
  types: {
    any: 'tout type',
    array: 'liste',
    string: 'texte',
    number: 'nombre',
    integer: 'entier',
    boolean: 'booléen',
    object: 'objet',
    'date-time': 'date et heure',
  },
  listOf: (type) => `liste (${type})`,
  or: ' ou ',
};
