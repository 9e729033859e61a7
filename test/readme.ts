import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of the README: what stands behind the three backticks, and what is between them. */
export interface Block {
  language: string;
  /** What follows the language: no reader of the page sees it. */
  mark: string;
  code: string;
}

/** The fenced blocks of the README under a heading, in their order. */
export function blocksUnder(heading: string): Block[] {
  const section = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  return [...(section ?? '').matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', mark = '', code = '']): Block => ({ language, mark, code }),
  );
}
