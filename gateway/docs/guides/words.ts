import type { Language } from './files.ts';

const en = {
  guides: 'Guides',
  documentation: 'Documentation',
  skip: 'Skip to the content',
  allPages: 'All guides',
  onThisPage: 'On this page',
  close: 'Close',
  before: 'Previous page',
  next: 'Next page',
  search: 'Search',
  searchGuides: 'Search the guides',
  searchHint: 'Type a word of what you look for.',
  noAnswer: 'The search does not answer. Try again.',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  copy: 'Copy',
  copied: 'Copied',
  table: 'Table',
  /** Said on a page that is not translated. */
  notTranslated: '',
  /** `most`: the maximum number of results that are shown. */
  found: (count: number, query: string, most: number) => {
    if (count === 0) return `No page says “${query}”.`;
    return `${count > most ? `The first ${most} of ` : ''}${count === 1 ? '1 section' : `${count} sections`} for “${query}”`;
  },
  noSuchGuide: 'No such guide',
  didYouMean: (link: string) => `Did you mean ${link}?`,
  noSuchGuideText: (link: string) => `There is no guide or image at this address. See ${link}.`,
  /** The titles of the pages at /docs, by address, where they are not those of `pages`. */
  pages: {} as Readonly<Record<string, string>>,
};

export type Words = typeof en;

const fr: Words = {
  guides: 'Guides',
  documentation: 'Documentation',
  skip: 'Aller au contenu',
  allPages: 'Tous les guides',
  onThisPage: 'Sur cette page',
  close: 'Fermer',
  before: 'Page précédente',
  next: 'Page suivante',
  search: 'Rechercher',
  searchGuides: 'Rechercher dans les guides',
  searchHint: 'Saisissez un mot de ce que vous cherchez.',
  noAnswer: 'La recherche ne répond pas. Réessayez.',
  theme: 'Thème',
  themes: { system: 'Système', light: 'Clair', dark: 'Sombre' },
  copy: 'Copier',
  copied: 'Copié',
  table: 'Tableau',
  notTranslated: 'Cette page n’est pas encore traduite : la voici en anglais.',
  found: (count, query, most) => {
    if (count === 0) return `Aucune page ne contient « ${query} ».`;
    return `${count > most ? `Les ${most} premières de ` : ''}${count} ${count === 1 ? 'section' : 'sections'} pour « ${query} »`;
  },
  noSuchGuide: 'Ce guide n’existe pas',
  didYouMean: (link) => `Vouliez-vous dire ${link} ?`,
  noSuchGuideText: (link) => `Il n’y a ni guide ni image à cette adresse. Voir ${link}.`,
  pages: { '/docs': 'Référence des API', '/docs/gaps': 'Registre des lacunes' },
};

export const wordsOf: Readonly<Record<Language, Words>> = { en, fr };
