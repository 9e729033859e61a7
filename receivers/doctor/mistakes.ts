import { bodyMistakes } from './mistakes/body.ts';
import { headerMistakes } from './mistakes/header.ts';
import { makingMistakes } from './mistakes/making.ts';

/** Every mistake that the doctor knows, by its id. */
export const mistakes = { ...bodyMistakes, ...makingMistakes, ...headerMistakes };

export type MistakeId = keyof typeof mistakes;

/** One way in which something may have been, with the mistakes that it would take; none where it is right. */
export interface Variant<T> {
  mistakes: readonly MistakeId[];
  value: T;
}
