import { bodyMistakes } from './mistakes/body.ts';
import { headerMistakes } from './mistakes/header.ts';
import { makingMistakes } from './mistakes/making.ts';

export const mistakes = { ...bodyMistakes, ...makingMistakes, ...headerMistakes };

export type MistakeId = keyof typeof mistakes;

/** A possible value, and the mistakes that lead to it; none for the correct value. */
export interface Variant<T> {
  mistakes: readonly MistakeId[];
  value: T;
}
