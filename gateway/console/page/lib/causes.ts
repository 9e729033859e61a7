import { text } from '../texts/shared.ts';

/** What an event names as the cause of its change, if it is no call. */
export const { causes } = text.parts;
