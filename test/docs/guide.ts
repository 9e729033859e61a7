import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A fenced block of a guide: the text after the three backticks, and the lines between them. */
export interface Block {
  language: string;
  /** The words after the language. They are not shown on the page. */
  mark: string;
  code: string;
}

/** The text of a guide, by its path from the repository's root. */
export const readGuide = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The fenced blocks of a guide, with their fences. */
export const fences = /^ *```[\s\S]*?^ *```$/gm;

/** The fenced blocks of a guide, or below one of its headings of level 2, in order. Throws if there are none. */
export function blocksUnder(path: string, heading?: string): Block[] {
  const text = readGuide(path);
  const section = heading ? text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) : text;
  const blocks = [...(section ?? '').matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', mark = '', code = '']): Block => ({ language, mark, code }),
  );
  if (blocks.length === 0) throw new Error(`${path} has no blocks${heading ? ` under "## ${heading}"` : ''}.`);
  return blocks;
}

/** A heading's anchor as GitHub makes it. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
