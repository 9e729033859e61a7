import { type Guide, renderGuide } from '../markdown.ts';
import { type Language, type Listing, readDocsFile } from './files.ts';
import { wordsOf } from './words.ts';

export interface ReadGuide extends Guide {
  name: string;
  address: string;
  /** English if there is no translation. */
  language: Language;
  text: string;
}

/** The address of a guide, or of what is beside the guides, in a language. */
export const addressIn = (language: Language, name = ''): string =>
  ['/docs/guides', language === 'en' ? '' : language, name].filter((part) => part !== '').join('/');

/** Renders a guide for a reader of a language. Or returns only its title, because rendering all guides takes most of a second. */
export async function readGuide(
  name: string,
  language: Language,
  listing: Listing,
  part: 'all' | 'title' = 'all',
): Promise<ReadGuide> {
  const { guides, images, translations } = listing;
  const isTranslated = translations.has(`${language}/${name}`);
  const page = isTranslated ? `${language}/${name}` : name;
  const text = (await readDocsFile(`${page}.md`)).toString();
  const original = isTranslated && part === 'all' ? await readGuide(name, 'en', listing) : undefined;
  const guide = renderGuide(part === 'all' ? text : (text.split('\n', 1)[0] ?? ''), {
    page,
    ...(original && { anchors: original.headings.map(({ anchor }) => anchor) }),
    guides: new Set(guides),
    images,
    root: addressIn(language),
    folder: isTranslated ? `${language}/` : '',
    table: wordsOf[language].table,
  });
  return { ...guide, text, name, address: addressIn(language, name), language: isTranslated ? language : 'en' };
}
