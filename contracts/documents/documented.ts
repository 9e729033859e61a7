/**
 * The lines of the two documents, for clones without them. Run as a program, it reads the documents again and
 * writes documented.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import committed from './documented.json' with { type: 'json' };
import type { Provider } from './services.ts';

export interface DocumentedLine {
  /** The section's number and heading. */
  section: string;
  /** The heading within the section; empty if there is none. */
  part: string;
  /** A row's cells between bars, or the unchanged line. */
  says: string;
}

/** The document of each provider, as reports name it. */
export const documentOf: Readonly<Record<Provider, string>> = {
  pos: 'spec/point-of-sale.md',
  cohesion: 'spec/social-cohesion.md',
};

export const documented: Readonly<Record<Provider, readonly DocumentedLine[]>> = committed;

const isTableFrame = (line: string, next: string | undefined) => /^\|[-| ]+$/.test(line) || /^\|[-| ]+$/.test(next ?? '');

/** The lines of a document's numbered sections: rows of tables without their headings, items of lists, paragraphs. */
export function linesOf(document: string): DocumentedLine[] {
  const lines = document.split('\n').map((line) => line.trim());
  const found: DocumentedLine[] = [];
  let section = '';
  let part = '';
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('## ')) [section, part] = [line.slice(3), ''];
    else if (line.startsWith('### ')) part = line.slice(4);
    else if (section !== '' && line !== '' && !isTableFrame(line, lines[at + 1])) {
      const says = line.startsWith('|')
        ? line
            .slice(1, -1)
            .trim()
            .replace(/[| ]+$/, '')
        : line;
      found.push({ section, part, says });
    }
  }
  return found;
}

if (import.meta.main) {
  const read = (provider: Provider) =>
    linesOf(readFileSync(new URL(`../../docs/${documentOf[provider]}`, import.meta.url), 'utf8'));
  const text = `${JSON.stringify({ pos: read('pos'), cohesion: read('cohesion') }, null, 2)}\n`;
  writeFileSync(new URL('documented.json', import.meta.url), text);
}
