/**
 * The language of the page: of the console English, of the profile the viewer's. It is chosen once per page load: the switch stores the choice
 * and loads the page again.
 */

const names = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof names;

const key = 'passerelle.language';

const known = Object.keys(names) as Language[];
const named: readonly string[] = globalThis.document?.documentElement.dataset.languages?.split(' ') ?? ['en'];
/** The languages that the page has, as its HTML says. */
const languages: readonly Language[] = known.filter((one) => named.includes(one));

const isLanguage = (name: string | null | undefined): name is Language => languages.some((one) => one === name);

/** The viewer's choice, or null. A browser may refuse its storage. */
function storedLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(key);
    return isLanguage(stored) ? stored : null;
  } catch {
    return null;
  }
}

const subtag = (tag: string) => tag.split('-')[0];
const preferred = globalThis.navigator?.languages ?? [];

/** The viewer's choice; otherwise the first of the browser's languages that the page has; otherwise English. */
export const language: Language = storedLanguage() ?? preferred.map(subtag).find(isLanguage) ?? 'en';

/** The form of numbers and times: the viewer's own form of the language, such as `fr-CA`, if the browser names one. */
export const locale: string = preferred.find((tag) => subtag(tag) === language) ?? language;

const other = languages.find((one) => one !== language);
/** The language to which the viewer can switch, with its name in it; undefined if the page has one language. */
export const otherLanguage = other && { language: other, name: names[other] };

/** Keeps the viewer's choice for the next page load. Without storage the page keeps its language. */
export function chooseLanguage(chosen: Language): void {
  try {
    localStorage.setItem(key, chosen);
  } catch {}
}
