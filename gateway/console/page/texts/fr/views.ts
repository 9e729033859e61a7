import type { views as en } from '../en/views.ts';

export const views: typeof en = {
  label: 'Vues',
  shared: 'Vues enregistrées, communes à tous les opérateurs',
  hasUnknown: (filters) => `a un filtre qui n'existe plus : ${filters}`,
  none: 'Aucune vue. Filtrez la liste, puis enregistrez-la ici.',
  save: 'Enregistrer cette liste comme vue',
  rename: 'Renommer cette vue',
  delete: 'Supprimer cette vue',
  renameTitle: 'Renommer la vue',
  name: 'Nom de la vue',
  saved: 'La vue est enregistrée.',
  deleted: 'La vue est supprimée.',
  deleteTitle: 'Supprimer cette vue ?',
  deleteEffects: 'Tous les opérateurs la partagent. Les lignes de la liste restent.',
};
