import { language } from '../lib/language.ts';
import type * as en from './en/index.ts';
import { setSharedTexts } from './shared.ts';

/** Every text of the console. The English catalogue gives the shape, and the compiler checks the French one against it. */
export type Texts = typeof en;

/** The texts in the viewer's language. `main.tsx` loads them before any module that reads them. */
export let text: Texts;

/** Loads the catalogue of the viewer's language. Only this catalogue is fetched. */
export async function loadTexts(): Promise<void> {
  text = language === 'fr' ? await import('./fr/index.ts') : await import('./en/index.ts');
  setSharedTexts(text);
}
