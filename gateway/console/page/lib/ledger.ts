import { text } from '../texts/shared.ts';
import type { Overview } from './figures.ts';

/** Returns what is missing from the ledger and what is too many, such as "2 deliveries are missing, 1 attempt is too many". */
export function imbalanceOf({ missing, surplus }: Overview['ledger']): string {
  const texts = text.parts.imbalance;
  const parts = [
    ...(missing ? wordsOf(missing, texts.missing) : []),
    ...(surplus ? wordsOf({ events: 0, ...surplus }, texts.surplus) : []),
  ];
  return parts.join(', ');
}

const tables = ['events', 'deliveries', 'attempts'] as const;
type Table = (typeof tables)[number];

const wordsOf = (rows: Record<Table, number>, texts: Record<Table, (amount: number) => string>): string[] =>
  tables.filter((table) => rows[table] > 0).map((table) => texts[table](rows[table]));
