import type { Overview } from './figures.ts';
import { plural } from './format.ts';

/** Returns what is missing from the ledger and what is too many, such as "2 deliveries are missing, 1 attempt is too many". */
export function imbalanceOf({ missing, surplus }: Overview['ledger']): string {
  const parts = [
    ...(missing ? wordsOf(missing, 'missing') : []),
    ...(surplus ? wordsOf({ events: 0, ...surplus }, 'too many') : []),
  ];
  return parts.join(', ');
}

const names = { events: ['event', 'events'], deliveries: ['delivery', 'deliveries'], attempts: ['attempt', 'attempts'] } as const;
const tables = ['events', 'deliveries', 'attempts'] as const;

const wordsOf = (rows: Record<(typeof tables)[number], number>, how: string): string[] =>
  tables
    .filter((table) => rows[table] > 0)
    .map((table) => `${plural(rows[table], `${names[table][0]} is`, `${names[table][1]} are`)} ${how}`);
