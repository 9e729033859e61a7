import { language } from '../../page/lib/language.ts';
import { setSharedTexts } from '../../page/texts/shared.ts';
import type * as en from './en/index.ts';

/** Every text of the profile, with those of the parts that it shares with the console. */
export type Texts = typeof en;

/** The texts in the viewer's language. `main.ts` loads them before any module that reads them. */
export let text: Texts;

/** Loads the catalogue of the viewer's language. Only this catalogue is fetched. */
export async function loadTexts(): Promise<void> {
  text = language === 'fr' ? await import('./fr/index.ts') : await import('./en/index.ts');
  setSharedTexts(text);
}
