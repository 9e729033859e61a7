/**
 * The lines of the two documents, for clones without them. Run as a program, it reads the documents again and
 * writes documented.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import committed from './documented.json' with { type: 'json' };
import { type ServiceName, serviceNames, services } from './services.ts';

export interface DocumentedLine {
  /** The section's number and heading. */
  section: string;
  /** The heading within the section; empty if there is none. */
  part: string;
  /** A row's cells between bars, or the unchanged line. */
  says: string;
}

export const documented: Readonly<Record<ServiceName, readonly DocumentedLine[]>> = committed;

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
  const read = (provider: ServiceName) =>
    linesOf(readFileSync(new URL(`../../docs/${services[provider].document}`, import.meta.url), 'utf8'));
  const text = `${JSON.stringify(Object.fromEntries(serviceNames.map((name) => [name, read(name)])), null, 2)}\n`;
  writeFileSync(new URL('documented.json', import.meta.url), text);
}
