/** Every text of the console, which is in English. */
export * as text from './en/index.ts';
