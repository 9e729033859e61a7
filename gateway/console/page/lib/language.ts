/** The language of the console. It is chosen once per page load: the switch stores the choice and loads the page again. */

export const languages = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof languages;

const key = 'passerelle.language';

const isLanguage = (name: string | null | undefined): name is Language => Boolean(name && Object.hasOwn(languages, name));

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

/** The viewer's choice; otherwise the first of the browser's languages that the console has; otherwise English. */
export const language: Language = storedLanguage() ?? preferred.map(subtag).find(isLanguage) ?? 'en';

/** The form of numbers and times: the viewer's own form of the language, such as `fr-CA`, if the browser names one. */
export const locale: string = preferred.find((tag) => subtag(tag) === language) ?? language;

/** Keeps the viewer's choice for the next page load. Without storage the page keeps its language. */
export function chooseLanguage(chosen: Language): void {
  try {
    localStorage.setItem(key, chosen);
  } catch {}
}
