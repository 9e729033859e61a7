import { services } from '../spec/documents/services.ts';
import type { Gap } from '../spec/gaps/gap.ts';

/** The gap register as Markdown: one table for each API that has entries. */
export function gapsMarkdown(gaps: readonly Gap[]): string {
  const byApi = Map.groupBy(gaps, ({ api }) => api);
  const tables = [...byApi].map(([api, entries]) =>
    [
      `### Choices where the document is silent: ${services[api].title}`,
      '',
      '| Gap | Question | Choice | Status |',
      '| --- | --- | --- | --- |',
      ...entries.map(row),
    ].join('\n'),
  );
  return tables.join('\n\n');
}

const row = ({ id, question, choice, status }: Gap) =>
  `| \`${id}\` | ${escapeMarkdown(question)} | ${escapeMarkdown(choice)} | ${status} |`;

/** A backslash makes any punctuation plain text in CommonMark. A table cell is one line. */
const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>|~&#]/g, '\\$&').replace(/\s+/g, ' ');
